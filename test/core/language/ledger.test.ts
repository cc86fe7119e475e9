/** The ledger: every call once, by day and container, however many are charged at the same time; and the budgets read from it. */

import { expect, test } from "bun:test";
import { charge, chargeEmbedding, exhaustedBudget, readLedger } from "../../../core/language/ledger.ts";
import type { ModelPolicy } from "../../../core/language/model-policy.ts";
import { modelUses } from "../../../core/settings/model-uses.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { sampleOrganisation } from "../../contract/samples.ts";

const terms: ModelPolicy = {
	uses: modelUses,
	callsPerDocumentMax: 8,
	concurrentCallsMax: 4,
	timeoutMs: 1,
	tokensPerDay: null,
	containerTokensPerDay: null,
	keyTokensPerDay: null,
	prices: { input: 3, output: 12 },
};
const freshRecords = () => ramStorage().organisation(sampleOrganisation).records;
const usage = { inputTokens: 1_000, outputTokens: 500 };
const on = (date: string) => new Date(`${date}T12:00:00Z`);

test("what is charged at the same time adds up", async () => {
	const records = freshRecords();
	await Promise.all(
		Array.from({ length: 25 }, (_, i) => charge({ containerTag: i % 2 === 0 ? "a" : "b", key: "k", use: "memories" }, usage, terms, records, on("2026-03-01"))),
	);
	const one = { calls: 1, ...usage, cost: 0.009 };
	const times = (n: number) => ({ calls: n, inputTokens: n * one.inputTokens, outputTokens: n * one.outputTokens, cost: expect.closeTo(n * one.cost) });
	expect(await readLedger("2026-03-01", "2026-03-01", records, on("2026-03-01"))).toEqual([
		{ date: "2026-03-01", containerTag: null, key: null, embedder: null, use: null, ...times(25) },
		{ date: "2026-03-01", containerTag: "a", key: null, embedder: null, use: null, ...times(13) },
		{ date: "2026-03-01", containerTag: "b", key: null, embedder: null, use: null, ...times(12) },
		{ date: "2026-03-01", containerTag: null, key: "k", embedder: null, use: null, ...times(25) },
		{ date: "2026-03-01", containerTag: null, key: null, embedder: null, use: "memories", ...times(25) },
	]);
});

test("what vectors cost is apart, and no budget of the language model's", async () => {
	const records = freshRecords();
	const day = on("2026-03-01");
	await charge({ containerTag: "a", key: "k", use: "memories" }, usage, terms, records, day);
	for (let i = 0; i < 3; i++) await chargeEmbedding({ embedder: "openai", tokens: 1_000_000, cost: 0.02 }, records, day);
	const told = await readLedger("2026-03-01", "2026-03-01", records, day);
	expect(told.map(({ containerTag, key, embedder, calls }) => [containerTag, key, embedder, calls])).toEqual([
		[null, null, null, 1],
		["a", null, null, 1],
		[null, null, "openai", 3],
		[null, "k", null, 1],
		[null, null, null, 1],
	]);
	expect(told[2]).toMatchObject({ inputTokens: 3_000_000, outputTokens: 0, cost: expect.closeTo(0.06) });
	expect(await exhaustedBudget({ containerTag: "a", key: "k" }, { ...terms, tokensPerDay: 2_000 }, records, day)).toBe(null);
});

test("days are told from the first to the last, whatever containers are called", async () => {
	const records = freshRecords();
	const days = ["2026-02-28", "2026-03-01", "2026-03-09", "2026-03-10", "2026-03-11", "2026-03-20", "2027-03-01"];
	for (const day of days)
		for (const tag of ["~", "é", "2026-03-10", "a b"]) await charge({ containerTag: tag, key: null, use: "memories" }, usage, terms, records, on(day));
	for (const [from, to] of [
		["2026-03-01", "2026-03-10"],
		["2026-03-09", "2026-03-11"],
		["2026-03-10", "2026-03-10"],
		["2026-03-12", "2026-03-19"],
		["2020-01-01", "2030-01-01"],
	] as const) {
		const told = await readLedger(from, to, records, on("2026-03-01"));
		expect([...new Set(told.map(({ date }) => date))]).toEqual(days.filter((day) => day >= from && day <= to));
		for (const day of new Set(told.map(({ date }) => date))) expect(told.filter(({ date }) => date === day).length).toBe(6);
	}
});

test("a ledger longer than a page is read to its end", async () => {
	const records = freshRecords();
	for (let i = 0; i < 1_050; i++) await charge({ containerTag: `t${i}`, key: null, use: "memories" }, usage, terms, records, on("2026-03-01"));
	expect((await readLedger("2026-03-01", "2026-03-01", records, on("2026-03-01"))).length).toBe(1_052);
});

test("a budget is one of its day, its organisation and its container", async () => {
	const records = freshRecords();
	await charge({ containerTag: "a", key: "k", use: "memories" }, usage, terms, records, on("2026-03-01"));
	const asks = (bound: Partial<ModelPolicy>, tag: string | null, day: string) =>
		exhaustedBudget({ containerTag: tag, key: tag === "a" ? "k" : "other" }, { ...terms, ...bound }, records, on(day));
	expect(await asks({}, "a", "2026-03-01")).toBeNull();
	expect(await asks({ tokensPerDay: 1_501 }, "a", "2026-03-01")).toBeNull();
	expect(await asks({ tokensPerDay: 1_500 }, "b", "2026-03-01")).toBeString();
	expect(await asks({ tokensPerDay: 1_500 }, "a", "2026-03-02")).toBeNull();
	expect(await asks({ containerTokensPerDay: 1_500 }, "a", "2026-03-01")).toBeString();
	expect(await asks({ containerTokensPerDay: 1_500 }, "b", "2026-03-01")).toBeNull();
	expect(await asks({ keyTokensPerDay: 1_500 }, "a", "2026-03-01")).toBeString();
	expect(await asks({ keyTokensPerDay: 1_500 }, "b", "2026-03-01")).toBeNull();
	expect(await asks({ tokensPerDay: 0 }, null, "2026-03-02")).toBeString();
});
