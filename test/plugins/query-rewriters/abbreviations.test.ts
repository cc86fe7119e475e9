import { describe, expect, test } from "bun:test";
import type { QueryRewriter } from "cairn-memory";
import abbreviations from "../../../plugins/query-rewriters/abbreviations.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { queryRewriterContract } from "../../contract/query-rewriter-contract.ts";
import { partOf } from "../../contract/start.ts";
import { createStep } from "../../doubles/step.ts";

const start = (): Promise<QueryRewriter> => partOf(abbreviations(), "queryRewriter");
for (const contractTest of [...pluginContract(abbreviations), ...queryRewriterContract(start)]) test(contractTest.name, contractTest.check);

const rewriter = await start();

describe("abbreviations", () => {
	test.each([
		["long for short", "OCR quality", ["optical character recognition quality"]],
		["small letters too", "ocr quality", ["optical character recognition quality"]],
		["short for long", "machine learning course", ["ML course"]],
		["hyphens as spaces", "single sign on setup", ["SSO setup"]],
		["a plural stays one", "which APIs exist", ["which application programming interfaces exist"]],
		["two in one query", "HR and ML", ["human resources and machine learning", "heart rate and machine learning"]],
		["both ways", "ML for human resources", ["machine learning for human resources", "ML for HR"]],
		["a second meaning", "open PR", ["open pull request", "open public relations"]],
		["words that look like one", "it helps us rest in a ram", []],
		["part of a word", "APIary, HRM and e-OCR", []],
		["nothing to do", "when does the ferry leave", []],
	])("%s: %s", async (_, query, variants) => {
		expect(await rewriter.rewrite(query, createStep())).toEqual(variants);
	});
});
