/** The plugin passes the contract tests of every plugin and of every query rewriter, and does what its README says. */

import { expect, test } from "bun:test";
import { partOf, pluginContract, queryRewriterContract, quietStep } from "cairn-memory/contract";
import houseWords from "./index.ts";

const options = { words: { "the loft": "14 Tern Lane", PTO: "paid time off" } };
const start = () => partOf(houseWords(options), "queryRewriter");

for (const contractTest of [...pluginContract(houseWords, options), ...queryRewriterContract(start)]) test(contractTest.name, contractTest.check);

test("whole words are replaced, whatever their case", async () => {
	const { rewrite } = await start();
	expect(await rewrite("Who has the key of The Loft?", quietStep())).toEqual(["Who has the key of 14 Tern Lane?"]);
	expect(await rewrite("the lofty ceiling", quietStep())).toEqual([]);
});

test("a word may hold signs that mean something in a pattern", async () => {
	const { rewrite } = await partOf(houseWords({ words: { "C++ (old)": "C plus plus" } }), "queryRewriter");
	expect(await rewrite("books on c++ (old)", quietStep())).toEqual(["books on C plus plus"]);
});
