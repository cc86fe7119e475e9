import { describe, expect, test } from "bun:test";
import type { Reranker } from "cairn-memory";
import overlap from "../../../plugins/rerankers/overlap.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { rerankerContract } from "../../contract/reranker-contract.ts";
import { partOf } from "../../contract/start.ts";
import { createStep } from "../../doubles/step.ts";

const start = (): Promise<Reranker> => partOf(overlap(), "reranker");
for (const contractTest of [...pluginContract(overlap), ...rerankerContract(start)]) test(contractTest.name, contractTest.check);

const reranker = await start();

describe("overlap", () => {
	test.each([
		["more words beat fewer", "harbour fees winter", "the harbour fees in winter are low", "the harbour is old"],
		[
			"near beats far",
			"harbour fees",
			"all harbour fees are due at noon",
			`the harbour is old. ${"It was long ago. Storms came and went by night. ".repeat(6)} He paid fees`,
		],
		["in order beats turned round", "steam ferry", "a steam ferry came", "a ferry steam came"],
		["small words say who did what", "letters from Ada", "these are letters from Ada", "Ada wrote letters and from then on slept"],
		[
			"said within a sentence beats said far apart",
			"ferry fees winter",
			"fees in winter: ask at the ferry",
			`the ferry ${"rocked and ".repeat(10)}fees ${"rocked and ".repeat(10)}winter`,
		],
		["all of it beats the half said twice", "ferry winter", "winter came late; no ferry", "a ferry, and one more ferry"],
		["stems count as words", "running boats", "the boat runs", "the bakery is closed"],
		["pairs of characters in Chinese", "灯塔 看守人", "灯塔的看守人在数船", "港口的船只很多"],
	])("%s", async (_, query, better, worse) => {
		const [high = 0, low = 1] = await reranker.score(query, [better, worse], createStep());
		expect(high).toBeGreaterThan(low);
	});

	test("a word that few candidates hold tells more than one that all hold", async () => {
		const all = ["the invoice was paid", "an invoice of May", "an invoice of June", "4711 was paid"];
		const scores = await reranker.score("invoice 4711", all, createStep());
		expect(scores.indexOf(Math.max(...scores))).toBe(3);
	});

	test("the opinion says more than a half for all of the query and less for nothing, and is never sure", async () => {
		const [all = 0, nothing = 1] = await reranker.score("harbour fees in winter", ["harbour fees in winter", "basil likes sun"], createStep());
		expect(all).toBeGreaterThan(0.7);
		expect(all).toBeLessThan(0.9);
		expect(nothing).toBeLessThan(0.3);
		expect(nothing).toBeGreaterThan(0);
	});

	test("a query of stop words still finds them", async () => {
		const [is = 0, isNot = 1] = await reranker.score("to be or not to be", ["to be or not to be, that is asked", "boats"], createStep());
		expect(is).toBeGreaterThan(0.6);
		expect(isNot).toBeLessThan(0.3);
	});
});

test("others have their turn between the texts, and whoever leaves ends it there", async () => {
	const texts = Array.from({ length: 100 }, (_, i) => `harbour ${i}`);
	let turns = 0;
	let isDone = false;
	const turn = () => {
		turns++;
		if (!isDone) setImmediate(turn);
	};
	setImmediate(turn);
	await reranker.score("harbour fees", texts, createStep());
	isDone = true;
	expect(turns).toBeGreaterThan(3);
	const leaving = new AbortController();
	const scoring = reranker.score("harbour fees", texts, { ...createStep(), signal: leaving.signal });
	leaving.abort(new Error("left"));
	await expect(scoring).rejects.toThrow("left");
});
