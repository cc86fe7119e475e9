import { describe, expect, test } from "bun:test";
import type { MemoryDraft } from "cairn-memory";
import sentences from "../../../plugins/memory-extractors/sentences/index.ts";
import { chunkOf, documentId } from "../../contract/samples-text.ts";
import { partOf } from "../../contract/start.ts";
import { createStep } from "../../doubles/step.ts";

const document = { id: documentId, containerTags: ["t"], metadata: {}, createdAt: new Date("2026-05-13T12:00:00Z"), title: null };

async function remember(...texts: readonly string[]): Promise<readonly MemoryDraft[]> {
	return (await partOf(sentences(), "memoryExtractor")).extract(
		{ document, chunks: texts.map((text, i) => chunkOf(text, i)), entityContext: null },
		createStep(),
	);
}
const textsOf = async (question: string, answer: string) => (await remember(`Ana: ${question}\nTom: ${answer}`, "Ana: Hm\nTom: Hm")).map(({ text }) => text);

describe("yes and no", () => {
	test.each([
		["Are you done with school?", "Yes I am.", "Tom is done with school."],
		["So, do you have any kids?", "No, I don't.", "Tom does not have any kids."],
		["Do you have any pets?", "Yeah, two old cats.", "Tom has two old cats."],
		["Do you still live in York?", "Nope", "Tom no longer lives in York."],
		["Have you ever been to Malmö?", "Never.", "Tom has never been to Malmö."],
		["Have you been to Malmö?", "I have not.", "Tom has not been to Malmö."],
		["Did you finish your thesis?", "I did!", "Tom finished their thesis."],
		["Did you sell your boat?", "No.", "Tom did not sell their boat."],
		["Can you swim?", "No, I can't.", "Tom can not swim."],
		["Do you speak Dutch?", "Of course.", "Tom speaks Dutch."],
		["Do you like jazz?", "Not really.", "Tom does not like jazz."],
		["Are your parents retired?", "They are.", "Tom's parents are retired."],
		["Does your wife work in town?", "She does.", "Tom's wife works in town."],
		["Do you eat meat?", "Rarely.", "Tom rarely eats meat."],
		["Did you play any sports as a child?", "I did!", "Tom played sports as a child."],
		["Are you happier in Oslo since you moved?", "Yes!", "Tom is happier in Oslo since Tom moved."],
	])("%s %s", async (question, answer, wanted) => {
		expect(await textsOf(question, answer)).toEqual([wanted]);
	});

	test.each([
		["Are you okay?", "Yes."],
		["Do you know what happened to the boats?", "Yeah."],
		["Do you like tea or coffee?", "Yes."],
		["Have you seen it?", "Yes I have."],
		["Do you live there?", "Yes."],
		["Can you help with the boats?", "Sure."],
		["Did you like my boat?", "Yes."],
		["Do you have kids? Are you married?", "Yes."],
		["Do you have kids?", "No way!"],
		["Do you have kids?", "No, but actually yes."],
		["Do you have kids?", "Do you?"],
		["Do you sail in winter?", "No, I was just kidding."],
		["Do you paint boats?", "No, not always."],
		["Are you married", "Yes."],
	])("nothing follows: %s %s", async (question, answer) => {
		expect(await textsOf(question, answer)).toEqual([]);
	});
});

describe("a few words", () => {
	test.each([
		["Where do you live?", "In Ghent.", "Tom lives in Ghent."],
		["Where do you live now?", "Ghent", "Tom lives in Ghent."],
		["Where are you from?", "From Trondheim.", "Tom is from Trondheim."],
		["Where did you grow up?", "On a farm.", "Tom grew up on a farm."],
		["Where do you work?", "The tax office.", "Tom works at the tax office."],
		["How old are you?", "34", "Tom is 34 years old."],
		["How old is your son?", "Six months.", "Tom's son is six months."],
		["How many kids do you have?", "Three!", "Tom has three kids."],
		["How many brothers do you have?", "Just one.", "Tom has one brother."],
		["How many children do you have?", "Three, two girls and a boy.", "Tom has three children, two girls and a boy."],
		["How often do you swim?", "Twice a week.", "Tom swims twice a week."],
		["How long have you lived in Oslo?", "Ten years.", "Tom has lived in Oslo for ten years."],
		["How long have you been married for?", "15 years!", "Tom has been married for 15 years."],
		["What is your name?", "Thomas Brandt.", "Tom's name is Thomas Brandt."],
		["What's your cat called?", "She is called Tulip.", "Tom's cat is called Tulip."],
		["When is your birthday?", "In June.", "Tom's birthday is in June."],
		["What do you do for a living?", "Forester.", "Tom works as a forester."],
		["What do you do?", "A nurse.", "Tom works as a nurse."],
		["What do you do for fun?", "Hiking and chess.", "Tom likes hiking and chess."],
		["What instrument do you play?", "The accordion.", "Tom plays the accordion (instrument)."],
		["What's your favourite dish?", "Mussels with fries.", "Tom's favourite dish is Mussels with fries."],
		["Who do you live with?", "My aunt.", "Tom lives with their aunt."],
		["What did you study?", "Geology.", "Tom studied Geology."],
		["What are you reading?", "A book about tides.", "Tom is reading a book about tides."],
	])("%s %s", async (question, answer, wanted) => {
		expect(await textsOf(question, answer)).toEqual([wanted]);
	});

	test.each([
		["How are you?", "Good."],
		["What do you think?", "Great."],
		["How long have you lived in Oslo?", "Not sure."],
		["How many kids do you have?", "None of your business."],
		["What time do you eat?", "Same as always."],
		["Where do you live?", "You first!"],
	])("nothing follows: %s %s", async (question, answer) => {
		expect(await textsOf(question, answer)).toEqual([]);
	});
});

describe("what it rests on", () => {
	test("the answer, and the question where the same chunk has it", async () => {
		const text = "Ana: Where do you live?\nTom: In Ghent.\nAna: Hm\nTom: Hm";
		const [draft] = await remember(text);
		expect(draft).toMatchObject({ subject: "tom", confidence: 0.65 });
		expect(draft?.evidence.map(({ span }) => text.slice(...span))).toEqual(["Where do you live?", "In Ghent."]);
	});

	test("the answer alone where the question is in the chunk before", async () => {
		const [draft] = await remember("Ana: Hm\nTom: Hm\nAna: Where do you live?", "Tom: In Ghent.");
		expect(draft?.text).toBe("Tom lives in Ghent.");
		expect(draft?.evidence).toHaveLength(1);
	});

	test("an assistant may ask, and answers nothing of its own", async () => {
		expect((await remember("Assistant: Where do you live?\nUser: In Ghent.")).map(({ text }) => text)).toEqual(["User lives in Ghent."]);
		expect(await remember("User: Where do you live?\nAssistant: In Ghent.")).toEqual([]);
	});
});
