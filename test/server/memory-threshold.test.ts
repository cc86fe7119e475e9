/** What memory search shows when nobody sets a threshold: what answers a question, however long it is, and no strangers. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";

let server: TestServer;
let client: TestClient;

const about = {
	ada: [
		"Ada's sister Hannah lives in Leeds and works as a nurse.",
		"Ada is allergic to peanuts and carries an adrenaline pen.",
		"Ada moved her piano lessons to Thursday evenings.",
		"Ada wants to repaint the kitchen in dark green next spring.",
		"Ada's landlord raised the rent to 940 pounds a month.",
	],
	ben: [
		"Ben coaches the under-twelves at the rowing club on Saturdays.",
		"Ben is saving for a camper van and has 6,200 euros so far.",
		"Ben's flight to Lisbon leaves on the third of May.",
		"Ben stopped drinking coffee after four in the afternoon.",
		"Ben's daughter Mia starts school in September.",
	],
};
/** With the memory that answers each. */
const questions = {
	ada: [
		[
			"I'd like to send my sister Hannah in Leeds a birthday card, can you remind me what she does for a living over there?",
			"Ada's sister Hannah lives in Leeds and works as a nurse.",
		],
		[
			"We are planning a dinner with colleagues at a Thai place, do I have to tell the waiter that I am allergic to peanuts?",
			"Ada is allergic to peanuts and carries an adrenaline pen.",
		],
		[
			"Could you check which evenings are already taken by my piano lessons before I promise the choir director to come by?",
			"Ada moved her piano lessons to Thursday evenings.",
		],
		[
			"The bank wants a list of my fixed costs, how much rent does the landlord ask for each month since it was raised?",
			"Ada's landlord raised the rent to 940 pounds a month.",
		],
	],
	ben: [
		[
			"A friend offered me a used camper van for nine thousand, how much have I got together in euros towards that so far?",
			"Ben is saving for a camper van and has 6,200 euros so far.",
		],
		[
			"My boss asks whether I could work the first days of May, when exactly does the flight to Lisbon leave?",
			"Ben's flight to Lisbon leaves on the third of May.",
		],
		[
			"The rowing club sent a new timetable, on which day do I usually coach the under-twelves over there?",
			"Ben coaches the under-twelves at the rowing club on Saturdays.",
		],
		[
			"When does my daughter Mia start school, I have to tell the payroll people at work about a later beginning?",
			"Ben's daughter Mia starts school in September.",
		],
	],
} as const;

type Results = readonly { readonly memory?: string; readonly chunk?: string; readonly similarity: number }[];

beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
	for (const [containerTag, memories] of Object.entries(about)) {
		await client.send("POST", "/v4/memories", { containerTag, memories: memories.map((content) => ({ content })) });
	}
	await until(async () => !(await isReading()));
}, 120_000);
afterAll(() => server.dispose());

/** On a busy machine vectors alone answer until the words are read. */
async function isReading(): Promise<boolean> {
	const answer = await client.send("POST", "/v4/search", { q: "peanuts", containerTag: "ada", searchMode: "hybrid", explain: true });
	return (await answer.json()).explanation.hint !== null;
}

async function search(q: string, containerTag: string, more: Readonly<Record<string, unknown>> = {}): Promise<Results> {
	const answer = await client.send("POST", "/v4/search", { q, containerTag, ...more });
	return ((await answer.json()) as { readonly results: Results }).results;
}

test("a long question is answered without a threshold, and of a stranger's memories none is shown", async () => {
	for (const [own, other] of [
		["ada", "ben"],
		["ben", "ada"],
	] as const) {
		for (const [q, answer] of questions[own]) {
			expect((await search(q, own)).map(({ memory }) => memory)).toEqual([answer]);
			expect(await search(q, other)).toEqual([]);
		}
	}
});

test("scores never rise down a list, and a lower threshold only adds to it, in every mode", async () => {
	for (const q of [...questions.ada.map(([q]) => q), "peanuts", "sister Hannah"]) {
		for (const searchMode of ["memories", "hybrid"]) {
			for (const rerank of [false, true]) {
				const [shown, all] = [await search(q, "ada", { searchMode, rerank }), await search(q, "ada", { searchMode, rerank, threshold: 0 })];
				for (const list of [shown, all]) {
					expect(list.map(({ similarity }) => similarity)).toEqual(list.map(({ similarity }) => similarity).toSorted((a, b) => b - a));
				}
				const names = (list: Results) => list.map(({ memory, chunk }) => memory ?? chunk);
				expect(names(all)).toContainValues(names(shown));
			}
		}
	}
});

test("hybrid search shows what memory search shows, and so does a profile that is asked", async () => {
	for (const [q, answer] of questions.ada) {
		const memories = (await search(q, "ada")).map(({ memory }) => memory);
		const hybrid = (await search(q, "ada", { searchMode: "hybrid" })).map(({ memory, chunk }) => memory ?? chunk);
		expect(hybrid).toEqual(expect.arrayContaining(memories));
		const profile = await (await client.send("POST", "/v4/profile", { containerTag: "ada", q })).json();
		expect(profile).toMatchObject({ searchResults: { results: [{ memory: answer }] } });
	}
});

test("an explanation shows the relevance in its parts, and the scale in the best that fell below", async () => {
	const [[q]] = questions.ada;
	const answer = await (await client.send("POST", "/v4/search", { q, containerTag: "ada", explain: true })).json();
	const [first] = answer.results;
	expect(first.scoreParts.fused).toBeWithin(0, first.similarity);
	expect(first.scoreParts.covered).toBeWithin(0.2, 1);
	expect(first.similarity).toBeGreaterThanOrEqual(0.6);
	expect(answer.explanation.candidates.bestBelow).toBeLessThan(0.6);
});
