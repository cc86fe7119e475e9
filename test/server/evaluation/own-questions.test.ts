import { expect, test } from "bun:test";
import { ownQuestions } from "../../../server/evaluation/own-questions.ts";

const body = (subject: string) =>
	Array.from({ length: 8 }, (_, i) => `The ${subject} of chapter ${i} describes how harbour cranes lift heavy containers safely.`).join(" ");
const documents = Array.from({ length: 12 }, (_, i) => ({
	id: `d${i}`,
	title: `Harbour cranes volume ${i}`,
	text: `Harbour cranes volume ${i}\n\n${body(`part ${i}`)}`,
}));
/** Always the first of what there is to choose from, a title then. */
const first = () => 0;

test("what is asked is taken out of its document, and every other document stays", () => {
	const { collection } = ownQuestions("own", documents, 3, first);
	expect(collection.questions).toHaveLength(3);
	expect(collection.documents).toHaveLength(12);
	for (const { id, text } of collection.questions) {
		expect(collection.relevant.get(id)).toEqual(new Map([[id, 1]]));
		expect(collection.documents.find((document) => document.id === id)?.text).not.toContain(text);
	}
});

test("the same numbers make the same questions, others make others", () => {
	const numbers = (step: number) => {
		let at = 0;
		return () => (at = (at + step) % 1);
	};
	const asked = (step: number) => ownQuestions("own", documents, 5, numbers(step)).collection.questions;
	expect(asked(0.37)).toEqual(asked(0.37));
	expect(asked(0.37)).not.toEqual(asked(0.73));
});

test("how many words of the questions stand in the rest is told", () => {
	// "volume" and its number went with the title; harbour and cranes are everywhere.
	const { sharedWords } = ownQuestions("own", documents.slice(0, 1), 1, first);
	expect(sharedWords).toBeGreaterThan(0.4);
	expect(sharedWords).toBeLessThan(1);
});

test("of short texts and of titles that say nothing no question is made", () => {
	const short = [
		{ id: "a", title: "Three telling words", text: "Three telling words and little more." },
		{ id: "b", title: "Notes", text: "One. Two. Three. ".repeat(30) },
	];
	expect(ownQuestions("own", short, 5, first).collection.questions).toEqual([]);
});
