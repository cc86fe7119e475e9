/** Synonyms: what WordNet has for the words of a query, and nothing for what is not English. */

import { describe, expect, test } from "bun:test";
import type { QueryRewriter } from "cairn-memory";
import synonyms from "../../../../plugins/query-rewriters/synonyms/index.ts";
import { pluginContract } from "../../../contract/plugin-contract.ts";
import { queryRewriterContract } from "../../../contract/query-rewriter-contract.ts";
import { partOf } from "../../../contract/start.ts";
import { createStep } from "../../../doubles/step.ts";

const start = (): Promise<QueryRewriter> => partOf(synonyms(), "queryRewriter");
for (const contractTest of [...pluginContract(synonyms), ...queryRewriterContract(start)]) test(contractTest.name, contractTest.check);

const rewriter = await start();
const related = async (query: string) => ((await rewriter.related?.(query, createStep())) ?? []).map(({ word }) => word);

describe("synonyms", () => {
	test("are those of the commonest meanings, of the part of speech the word mostly is", async () => {
		expect(await related("the car")).toEqual(["auto", "automobile", "machine", "motorcar", "railcar"]);
	});
	test("are found from another form of the word", async () => {
		expect(await related("physicians")).toEqual(expect.arrayContaining(["doctor"]));
		expect(await related("purchased")).toEqual(expect.arrayContaining(["buy"]));
	});
	test("never repeat a word of the query", async () => {
		expect(await related("car automobile")).not.toContain("automobile");
		expect(await related("buy and purchase")).not.toContain("purchase");
	});
	test.each([["unheardofword"], ["4711 b2b"], ["of the and"], ["wo ist der Arzt"], ["医生在哪里"], [""], ["é à ü"]])("of %p are none", async (query) => {
		expect(await related(query)).toEqual([]);
	});
	test("of a long query are not without bound", async () => {
		expect((await related("car doctor house buy cheap city war fish bread ship road child garden ".repeat(20))).length).toBeLessThanOrEqual(32);
	});
});
