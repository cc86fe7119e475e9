/** The chat extractor: JSON, JSON lines, logs, times, the contract tests. */

import { describe, expect, test } from "bun:test";
import chatPlugin from "../../../plugins/extractors/chat/index.ts";
import { fixture } from "../../doubles/fixture.ts";
import { codeOf, extractorNamed, read, sample, testContract } from "./samples.ts";

const start = () => extractorNamed(chatPlugin(), "chat");
const json = "application/x-chat+json";

describe("laws", () => {
	testContract(start, [
		sample("chat.json", json, ["2024-03-01 When does the bakery open? At seven, by the smell. And the lighthouse?"]),
		sample("chat.txt", "text/x-chat", ["When does the bakery open? At seven. By the smell. See https://example.org then."]),
	]);
});

async function cuesOf(content: Uint8Array | string, mediaType: typeof json | "text/x-chat" = json) {
	const { extraction } = await read(await start(), content, mediaType);
	return extraction.blocks.map((block) => (block.kind === "cue" ? [block.speaker, block.text, block.place.seconds?.[0]] : [block.text]));
}

test("every turn is a cue with its speaker and its second, below its day", async () => {
	expect(await cuesOf(fixture("chat.json"))).toEqual([
		["2024-03-01"],
		["user", "When does the bakery open?", 0],
		["assistant", "At seven, by the smell.", 4],
		["user", "And the lighthouse?", 90],
	]);
	const { extraction } = await read(await start(), fixture("chat.json"), json);
	expect(extraction.text).toStartWith("2024-03-01\n\n**user:** When does the bakery open?\n\n**assistant:** At seven");
});

test("JSON lines and bare lists are read, seconds and milliseconds told apart", async () => {
	expect(await cuesOf(fixture("chat.ndjson"))).toEqual([["2024-03-01"], ["user", "line 1", 0], ["assistant", "line 2", 4], ["user", "line 3", 90]]);
	const turns = [
		{ speaker: "Ada", message: "one", timestamp: 1_700_000_000 },
		{ speaker: "Ben", text: "two", timestamp: 1_700_000_002_500 },
		{ text: "back", timestamp: 1_600_000_000 },
	];
	expect(await cuesOf(JSON.stringify(turns))).toEqual([["2023-11-14"], ["Ada", "one", 0], ["Ben", "two", 2.5], [null, "back", undefined]]);
});

test("a log has turns of several lines, and an address is no name", async () => {
	expect(await cuesOf(fixture("chat.txt"), "text/x-chat")).toEqual([
		["Ada", "When does the bakery open?", 0],
		["Ben", "At seven.\nBy the smell.", 0],
		["Ada", "See https://example.org then.", 120],
	]);
	expect(await cuesOf("31/12/2023, 11:59 pm - Ada: soon\n01/01/2024, 12:01 am - Ben: now", "text/x-chat")).toEqual([
		["2023-12-31"],
		["Ada", "soon", 0],
		["2024-01-01"],
		["Ben", "now", 120],
	]);
	expect(await cuesOf("no names at all", "text/x-chat")).toEqual([[null, "no names at all", undefined]]);
});

test("what is no chat is broken, empty turns are remarked", async () => {
	const extractor = await start();
	expect(await codeOf(read(extractor, "{ not json", json))).toBe("FILE_BROKEN");
	expect(await codeOf(read(extractor, "[]", json))).toBe("CONTENT_EMPTY");
	const { step } = await read(extractor, '[{"role":"a","content":"x"},{"role":"b"},7]', json);
	expect(step.warnings).toEqual([{ code: "TURNS_SKIPPED", message: "2 entries without text were left out" }]);
});
