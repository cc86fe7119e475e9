/** Memories as extractors write them, each with the buckets a person would put it into. Written for this test; half of them after the rules were fixed. */

import type { ProfileBucket } from "../../../core/model/container.ts";

export const labelledBuckets: readonly ProfileBucket[] = [
	{ key: "preferences", description: "What somebody prefers, likes and dislikes, wants or avoids." },
	{ key: "work", description: "Job, employer, profession, colleagues, projects, meetings and career" },
	{ key: "health", description: "Illness, allergies, medication, doctors, diet, sleep and exercise" },
	{ key: "family", description: "Parents, children, siblings, partner, wife, husband, mother, father, sister, brother, son, daughter" },
	{ key: "travel", description: "Trips, flights, hotels, holidays, journeys and places to visit" },
];

export interface Labelled {
	readonly text: string;
	readonly buckets: readonly string[];
}

const labelled = (buckets: string, texts: readonly string[]): readonly Labelled[] =>
	texts.map((text) => ({ text, buckets: buckets.split(" ").filter((key) => key !== "") }));

/** The rules were written with these in view. */
export const seen: readonly Labelled[] = [
	...labelled("preferences", [
		"Ada prefers dark mode",
		"Ada likes strong coffee",
		"Ben hates early mornings",
		"I really like jazz",
		"Their kids love pizza",
		"Ben can't stand loud music",
		"Ada's favourite colour is green",
		"We avoid shops on Saturdays",
		"Clara is a fan of silent films",
		"Ben wants a quieter keyboard",
		"Clara dislikes long e-mails",
		"Dora would rather read than watch television",
		"Dora doesn't like olives",
		"Ada enjoys chess in the evening",
	]),
	...labelled("work", [
		"Ada works as an engineer at Siemens",
		"Ben's job starts at eight",
		"Clara leads the billing project",
		"Dora has a meeting with her colleagues every Monday",
		"Ben changed his career in 2019",
	]),
	...labelled("health", [
		"Dora is allergic to penicillin",
		"Ada exercises three times a week",
		"Ben takes medication for his heart",
		"Clara sleeps six hours a night",
	]),
	...labelled("family", [
		"Ada has two children",
		"Ben's sister is called Mia",
		"Clara is married and her husband is a baker",
		"Dora's father grew up in Ghent",
	]),
	...labelled("travel", ["Ada booked a flight to Lisbon", "Ben plans a trip to Norway", "Clara stayed in a hotel by the lake"]),
	...labelled("family preferences", ["Ada's mother loves gardening"]),
	...labelled("health preferences", ["Ben prefers a vegetarian diet"]),
	...labelled("", [
		"Ada lives in Ulm",
		"The cupboard looks like an old clock",
		"Ben owns a blue bicycle",
		"Clara speaks four languages",
		"The invoice number is 8812",
		"The post got 40 likes",
		"Ben used to like skiing",
		"It sounds like rain",
		"Dora was born in 1984",
	]),
];

/** These were not looked at when they were written. */
export const unseen: readonly Labelled[] = [
	...labelled("preferences", [
		"Emil loves spicy food",
		"Fatima never wants to be called before nine",
		"Greta is keen on modern architecture",
		"Emil finds small talk unbearable",
		"Henrik enjoys hiking in the rain",
		"Fatima likes her tea without sugar",
		"Greta's preferred language is Python",
		"Henrik is into board games",
		"You hate push notifications",
		"Greta and Henrik prefer trains to planes",
	]),
	...labelled("work", [
		"Emil is a nurse at the city hospital",
		"Fatima manages a team of twelve",
		"Greta's employer moved to Graz",
		"Henrik reports to the head of sales",
		"Emil finished the migration project in May",
		"Fatima has a new colleague called Rui",
	]),
	...labelled("health", [
		"Greta broke her leg in March",
		"Henrik sees his doctor in June",
		"Emil has asthma",
		"Fatima cannot eat gluten because of an allergy",
	]),
	...labelled("family", [
		"Emil's daughter plays the cello",
		"Greta is the oldest of five siblings",
		"Henrik's grandmother turns ninety",
		"Fatima's son starts school in autumn",
	]),
	...labelled("travel", [
		"Emil flies to Boston on Friday",
		"Greta spent her holidays in Crete",
		"Henrik has visited Japan twice",
		"Fatima's flight was cancelled",
	]),
	...labelled("travel preferences", ["Emil likes hotels with a garden"]),
	...labelled("work preferences", ["Henrik hates meetings without an agenda"]),
	...labelled("", [
		"Emil's phone number ends in 42",
		"Greta keeps her books in the cellar",
		"The house feels like a museum",
		"Henrik moved to Basel in 2020",
		"Fatima studied physics",
		"Emil's car is ten years old",
		"The code of the gate is on the fridge",
		"Would you like a receipt?",
	]),
];
