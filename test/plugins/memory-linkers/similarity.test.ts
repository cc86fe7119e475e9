import { describe, expect, test } from "bun:test";
import { asId, type Linking, type Memory, type MemoryDraft, type MemoryId, type MemoryLinker } from "cairn-memory";
import type { ChunkId, DocumentId } from "cairn-memory/stores";
import similarity from "../../../plugins/memory-linkers/similarity/index.ts";
import { memoryLinkerContract } from "../../contract/memory-linker-contract.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { partOf } from "../../contract/start.ts";
import { createStep } from "../../doubles/step.ts";

const start = (): Promise<MemoryLinker> => partOf(similarity(), "memoryLinker");
for (const contractTest of [...pluginContract(similarity), ...memoryLinkerContract(start)]) test(contractTest.name, contractTest.check);

const linker = await start();
const noon = new Date("2026-05-13T12:00:00Z");

function draft(text: string, subject: string | null, over: Partial<MemoryDraft> = {}): MemoryDraft {
	const evidence = [{ document: asId<DocumentId>("d".repeat(22)), chunk: asId<ChunkId>("c".repeat(22)), span: [0, 1] as const }];
	return { text, subject, isStatic: false, isInference: false, confidence: 0.8, eventTime: null, forgetAfter: null, evidence, ...over };
}

function memory(text: string, subject: string | null, over: Partial<Memory> = {}): Memory {
	const id = asId<MemoryId>("m".repeat(22));
	const rest = {
		containerTag: "t",
		version: 1,
		parent: null,
		root: null,
		isLatest: true,
		isForgotten: false,
		forgetReason: null,
		metadata: {},
		extractor: null,
	};
	return { ...draft(text, subject), ...rest, id, createdAt: noon, updatedAt: noon, ...over };
}

/** What the linker makes of one neighbour, in a word. */
async function relation(fresh: MemoryDraft, old: Memory, affinity = 0.6): Promise<string> {
	const { links, duplicateOf } = await linker.link(fresh, [{ memory: old, affinity }], createStep());
	return duplicateOf === null ? (links[0]?.relation ?? "nothing") : "duplicate";
}

describe("similarity", () => {
	test.each([
		["Ana lives in Berlin.", "Ana lives in Berlin", "ana", "duplicate"],
		["Ana lives in Berlin with her brother Tom.", "Ana lives in Berlin.", "ana", "duplicate"],
		["Ana lives in Lisbon.", "Ana moved to Berlin.", "ana", "updates"],
		["Ana lives in Lisbon.", "Ana to Tom (4 March 2026): We moved to Berlin last week (week of 23 February 2026).", "ana", "updates"],
		["Ana lives in Lisbon.", "Ana (4 March 2026), asked “Where are you now?”: I moved to Berlin.", "ana", "updates"],
		["Ana lives in Lisbon.", "Ana (4 March 2026), on “Moving”, asked “Where are you now?”: I moved to Berlin.", "ana", "updates"],
		["Ana lives in Lisbon.", "Ana, on “Moving house (Tom) [20 min]”: I moved to Berlin.", "ana", "updates"],
		["Ana works at the harbour office.", "Ana now works for the museum.", "ana", "updates"],
		["Ana works as a nurse.", "Ana works as a teacher.", "ana", "updates"],
		["Ana is 31 years old.", "Ana is 32 years old.", "ana", "updates"],
		["Ana likes hiking.", "Ana no longer likes hiking.", "ana", "updates"],
		["Ana eats meat.", "Ana doesn't eat meat anymore.", "ana", "updates"],
		["Ana's favourite colour is green.", "Ana's favourite colour is blue.", "ana's favourite colour", "updates"],
		["Ana's favourite colour is green.", "Ana's favourite food is soup.", "ana's favourite", "extends"],
		["The deadline is 3 May 2026.", "The deadline is 9 May 2026.", "deadline", "updates"],
		["The status is green.", "The status is red.", "status", "updates"],
		["Ana's email is ana@example.org.", "Ana's email is ana@example.net.", "ana's email", "updates"],
		["Ana likes hiking.", "Ana likes sailing.", "ana", "extends"],
		["Ana lives in Berlin.", "Ana lives in Berlin near the river Spree.", "ana", "extends"],
		["Ana is vegetarian and allergic to nuts.", "Ana is not vegetarian anymore, Ana eats fish now.", "ana", "updates"],
		["Ana bought a used Kestrel motorbike.", "Ana sold the Kestrel motorbike.", "ana", "updates"],
		["Ana works as a nurse at St. Brennan's.", "Ana quit Ana's job at St. Brennan's.", "ana", "updates"],
		["The rent is 600 euros.", "The rent is 650 euros, not 600.", "rent", "updates"],
		["The team meets every Tuesday at 10.", "The team meets every Wednesday at 10.", "team", "updates"],
		["Ana lives in Leeds.", "Ana is planning to move to York.", "ana", "extends"],
		["Ana works at the customs office.", "Ana works at the customs office in Vigo.", "ana", "extends"],
		["Ana studies botany in the evenings.", "Ana studies chemistry instead of botany now.", "ana", "updates"],
		["Ana goes to the gym three times a week.", "Ana only goes to the gym once a week.", "ana", "updates"],
		["Ana is 29 years old.", "Ana turned 30 in May.", "ana", "updates"],
		["Ana has never been to Malmö.", "Ana has three children.", "ana", "extends"],
		["Ana's office is on the fourth floor.", "Ana's office moved to the second floor.", "ana's office", "updates"],
		["The meeting is on Tuesday at 10.", "The meeting has been moved to Wednesday at 9.", "meeting", "updates"],
		["The mill was built in 1820 by Aron Vik.", "The mill is owned by the town of Sorbek.", "mill", "extends"],
		["Ana's rabbit is called Hops.", "Ana's rabbit died.", "ana's rabbit", "extends"],
	])("%s ← %s", async (old, fresh, subject, wanted) => {
		expect(await relation(draft(fresh, subject), memory(old, subject))).toBe(wanted);
	});

	test.each([
		["another subject", draft("Tom lives in Berlin.", "tom"), memory("Ana lives in Lisbon.", "ana"), 0.9],
		["too far away", draft("Ana likes sailing.", "ana"), memory("Ana has two brothers.", "ana"), 0.2],
		["no subject at all", draft("Boats!", null), memory("Ships!", null), 0.9],
	])("nothing for %s", async (_, fresh, old, affinity) => {
		expect(await relation(fresh, old, affinity)).toBe("nothing");
	});

	test.each([
		["Zoe is responsible for the landing page.", "zoe", "Pavel is now responsible for the landing page.", "pavel"],
		["Project Heron is led by Viktor Sand.", "project heron", "Amelia Stone leads Project Heron.", "amelia stone"],
		["Jonas owns the billing module.", "jonas", "Hanna owns the billing module now.", "hanna"],
		["The database runs on Postgres 15.", "database", "Zoe and others upgraded the database to Postgres 17.", "zoe"],
		["Ines Kol is the keeper of the mill.", "ines kol", "Ole Brandt is the keeper of the mill.", "ole brandt"],
		["Karl shares an office with Nadia.", "karl", "Nadia no longer shares the office with Karl.", "nadia"],
		["Ana writes the newsletter.", "ana", "Jonas took the newsletter off Ana.", "jonas"],
		["Tom's brother Jun is getting married in October.", "jun", "Jun's wedding was moved to November.", "jun's wedding"],
	])("the thing stays and the person changes: %s ← %s", async (old, about, fresh, subject) => {
		expect(await relation(draft(fresh, subject), memory(old, about), 0.4)).toBe("updates");
	});

	test("what is said of a thing adds to what was said of getting it", async () => {
		expect(await relation(draft("Ana's boat is called Tern.", "ana's boat"), memory("Ana bought a boat.", "ana"), 0.3)).toBe("extends");
	});

	test("what did not happen ends nothing", async () => {
		const old = memory("Ana's workshop has a stove.", "ana's workshop");
		expect(await relation(draft("Ana did not sell their workshop.", "ana"), old, 0.3)).toBe("nothing");
	});

	test("of two that may have ended the one with more of the words has", async () => {
		const at = (text: string, letter: string, affinity: number) => ({ memory: memory(text, "ana", { id: asId<MemoryId>(letter.repeat(22)) }), affinity });
		const neighbours = [at("Ana runs 35 kilometres a week.", "a", 0.9), at("Ana usually runs in the evening with Dorian.", "b", 0.5)];
		const { links } = await linker.link(draft("Ana doesn't run in the evening anymore.", "ana"), neighbours, createStep());
		expect(links.find(({ relation: kind }) => kind === "updates")?.target).toBe(neighbours[1]?.memory.id as MemoryId);
	});

	test("the same words about somebody else are no duplicate", async () => {
		expect(await relation(draft("Tom lives in Berlin.", "tom"), memory("Ana lives in Berlin with Tom.", "ana"))).toBe("nothing");
	});

	test("the plan that was carried out yields to the home that was left", async () => {
		const at = (text: string, letter: string, affinity: number) => ({ memory: memory(text, "ana", { id: asId<MemoryId>(letter.repeat(22)) }), affinity });
		const neighbours = [at("Ana is planning to move to York.", "a", 0.9), at("Ana lives in Leeds.", "b", 0.5)];
		const { links } = await linker.link(draft("Ana moved to York.", "ana"), neighbours, createStep());
		expect(links.find(({ relation: kind }) => kind === "updates")?.target).toBe(neighbours[1]?.memory.id as MemoryId);
	});

	test("what was inferred derives from what was said in the same places", async () => {
		const said = memory("Ana works at Kamen.", "ana");
		const evidence = [...said.evidence, ...said.evidence.map((one) => ({ ...one, span: [4, 9] as const }))];
		const { links } = await linker.link(draft("Ana works in Graz.", "ana", { isInference: true, evidence }), [{ memory: said, affinity: 0.6 }], createStep());
		expect(links).toEqual([{ relation: "derives", target: said.id }]);
	});

	test("an older event does not replace a newer one", async () => {
		const older = draft("Ana moved to Lisbon.", "ana", { eventTime: new Date("2019-01-01T00:00:00Z") });
		const newer = memory("Ana moved to Berlin.", "ana", { eventTime: new Date("2024-01-01T00:00:00Z") });
		expect(await relation(older, newer)).toBe("nothing");
	});

	test("the same words about two days are two memories", async () => {
		const first = memory("Ana visited the museum.", "ana", { eventTime: new Date("2026-01-01T00:00:00Z") });
		expect(await relation(draft("Ana visited the museum.", "ana", { eventTime: new Date("2026-02-01T00:00:00Z") }), first)).not.toBe("duplicate");
	});

	test.each([
		["User: By the way, on day 0 I bought 2 ropes.", "User: By the way, on day 1 I bought 3 ropes.", "extends"],
		["Ana bought 2 ropes on Monday.", "Ana bought 3 ropes on Tuesday.", "extends"],
		["Ana bought 2 ropes on Monday.", "Ana bought 3 ropes on Monday.", "updates"],
		["Ana ordered 2 ropes on Monday.", "Ana changed the order to 3 ropes on Tuesday.", "updates"],
	])("amounts of past events belong to their days: %s ← %s", async (old, fresh, wanted) => {
		const subject = fresh.startsWith("Ana") ? "ana" : "user";
		expect(await relation(draft(fresh, subject), memory(old, subject))).toBe(wanted);
	});

	test("what is replaced or forgotten is no neighbour", async () => {
		expect(await relation(draft("Ana lives in Berlin.", "ana"), memory("Ana lives in Berlin.", "ana", { isLatest: false }))).toBe("nothing");
		expect(await relation(draft("Ana lives in Berlin.", "ana"), memory("Ana lives in Lisbon.", "ana", { isForgotten: true }))).toBe("nothing");
	});

	test("a subject is read from the text when none is given", async () => {
		expect(await relation(draft("Ana lives in Berlin.", null), memory("Ana lives in Lisbon.", null))).toBe("updates");
	});

	test("only the nearest is updated, the others are extended", async () => {
		const at = (text: string, letter: string, affinity: number) => ({ memory: memory(text, "ana", { id: asId<MemoryId>(letter.repeat(22)) }), affinity });
		const neighbours = [at("Ana lives in Lisbon.", "a", 0.6), at("Ana lives in Porto.", "b", 0.8), at("Ana likes boats.", "e", 0.7)];
		const linking: Linking = await linker.link(draft("Ana moved to Berlin.", "ana"), neighbours, createStep());
		expect(linking.links.map(({ relation: kind, target }) => `${kind} ${target[0]}`)).toEqual(["updates b", "extends e", "extends a"]);
	});

	const front = (speaker: string, text: string, day = "4 March 2026") => `${speaker} (${day}): ${text}`;

	test.each([
		["I gave up the flat in Porto, we're at my sister's now.", "I rent a flat in Porto."],
		["I work for Halden Logistics now.", "I work for the harbour office."],
		["Nils and I split up.", "I'm engaged to Nils."],
		["the Crete trip is off, sadly", "We're flying out in May for the Crete trip."],
		["turns out the recital is on the 14th", "The recital is on the 12th."],
		["My new landlord is Mr Osei.", "My landlord is Mrs Brandt."],
		["They want 31 for the swimming pass now.", "The swimming pass is 26 a month."],
		["Jonas took the newsletter off me.", "I write the newsletter."],
		["I no longer drink coffee.", "I drink coffee all day."],
		["The alarm code has been changed to 7714.", "The alarm code is 2290."],
		["Mr Ode has retired, so I look for somebody else.", "My piano teacher is Mr Ode."],
		["Let the Silverfin go for scrap, finally.", "My van's an old Silverfin."],
		["The Fauré has been shelved, too few basses.", "We're singing the Fauré in November."],
		["The kiosk stays open until nine now.", "The kiosk closes at seven."],
		["The tickets went up, they are 18 now.", "The tickets are 15 euros."],
		["The Danes can't on the 14th, we do it on the 22nd then.", "The kickoff with the Danes is on the 14th."],
		["Counted twice: the trip fund stands at 4,085.", "There's 3,200 francs in the trip fund."],
	])("somebody's own words: %s", async (fresh, old) => {
		expect(await relation(draft(front("Ana", fresh, "9 June 2026"), "ana"), memory(front("Ana", old), "ana"))).toBe("updates");
	});

	test.each([
		["a question", "Ana", "Should I quit my job at the harbour office?", "I work at the harbour office."],
		["a hypothesis", "Ana", "Maybe I'll move to Ghent one day.", "I live in Porto."],
		["the past", "Ana", "I used to live in Ghent.", "I live in Porto."],
		["another owner", "Ana", "My brother sold his canoe.", "I own a canoe."],
		["another speaker", "Tom", "I live in Ghent.", "I live in Porto."],
		["another thing", "Ana", "The meeting with the tutor is on Monday at two.", "The meeting with the plumber is on Friday at two."],
		["another price", "Ana", "Parking is 40 a month.", "The rent is 700 a month."],
		["something more", "Ana", "I also work for the museum.", "I work for the harbour office."],
		["another of its kind", "Ana", "We have a second cat, Moss.", "We have a cat, Fern."],
		["somebody else's end", "Ana", "My cousin dropped out of nursing school.", "I'm in the second year of nursing school."],
		["an end of another's thing", "Ana", "The neighbours' cat died, poor thing.", "Our cat Biscuit sleeps on my head."],
		["the weight of another thing", "Ana", "My suitcase weighed 24 kilos.", "I weigh 84 kilos."],
		["what is heard", "Ana", "I heard that Dr Thune may be leaving.", "My allergist is Dr Thune."],
		["what is always done", "Ana", "I sell honey on Saturdays.", "I make honey."],
		["an event", "Ana", "The dentist was quick today.", "The dentist is on Thursday at nine."],
	])("%s replaces nothing", async (_, speaker, fresh, old) => {
		expect(await relation(draft(front(speaker, fresh, "9 June 2026"), speaker.toLowerCase()), memory(front("Ana", old), "ana"))).not.toBe("updates");
	});

	test("statements of a text are compared below their headings", async () => {
		const [minutes, later] = ["Minutes of 7 September 2026: The launch is on 20 June.", "Minutes of 14 September 2026: The launch moves to 4 July."];
		expect(await relation(draft(later, null), memory(minutes, null))).toBe("updates");
		expect(await relation(draft("tidepool › Limits: The timeout is 30 seconds.", null), memory("kelp › Limits: The timeout is 10 seconds.", null))).not.toBe(
			"updates",
		);
	});

	test.each([
		["tidepool 2.3 › Needs: A computer with 512 MB of memory.", "tidepool 2.3 › Needs: About 200 MB of disk."],
		["Node.js Group › Links (4 March 2026): The talk takes 20 minutes.", "Node.js Group › Boats (4 March 2026): Will have backups for 1 year."],
		["HILL SCHOOL, KISUMU: The price stays at 35 shillings per day.", "HILL SCHOOL, KISUMU: The plumber asks for 38,500 shillings."],
	])("numbers of other things in one document replace nothing: %s", async (old, fresh) => {
		expect(await relation(draft(fresh, null), memory(old, null))).not.toBe("updates");
	});

	test("one memory extends three others at most", async () => {
		const about = ["The boat needs paint.", "The boat leaks.", "The boat has a cabin.", "The boat is at the quay.", "The boat came from Vigo."];
		const neighbours = about.map((text, i) => ({ memory: memory(text, "boat", { id: asId<MemoryId>(`${i}`.repeat(22)) }), affinity: 0.9 - i / 10 }));
		const { links } = await linker.link(draft("The boat has a new mast.", "boat"), neighbours, createStep());
		expect(links.filter(({ relation: kind }) => kind === "extends")).toHaveLength(3);
	});
});
