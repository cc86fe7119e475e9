/** The text extractor: encodings, paragraphs, the contract tests. */

import { describe, expect, test } from "bun:test";
import textPlugin from "../../../plugins/extractors/text/index.ts";
import { fixture } from "../../doubles/fixture.ts";
import { baker, codeOf, extractorNamed, keeper, read, sample, testContract } from "./samples.ts";

const start = () => extractorNamed(textPlugin(), "text");
const russian = ["Смотритель маяка записывал каждый шторм в синюю тетрадь.", "Тихими вечерами он считал корабли и рисовал берег по памяти."];

describe("laws", () => {
	testContract(start, [
		sample("story.txt", "text/plain", [...keeper, ...baker]),
		sample("story.utf-16be.txt", "text/plain", [...keeper, ...baker]),
		sample("story.windows-1251.txt", "text/plain", russian),
	]);
});

test("blank lines part paragraphs, whose lines stay lines", async () => {
	const { extraction } = await read(await start(), fixture("story.txt"), "text/plain");
	expect(extraction.blocks.map((block) => block.text)).toEqual([keeper.join("\n"), baker.join("\n")]);
	expect(extraction.text).toBe(`${keeper.join("\n")}\n\n${baker.join("\n")}`);
	expect(extraction.title).toBeNull();
	expect(extraction.type).toBe("text");
});

test.each([
	["story.shift-jis.txt", "灯台守はすべての嵐を青いノートに書きました。"],
	["story.windows-1251.txt", russian[0] ?? ""],
	["story.utf-16be.txt", keeper.join("\n")],
])("the encoding of %s is found out", async (name, first) => {
	const { extraction } = await read(await start(), fixture(name), "text/plain");
	expect(extraction.blocks[0]?.text).toBe(first);
});

test("text that came as text is split without the sandbox", async () => {
	const extractor = await start();
	const { extraction } = await read(extractor, "", "text/plain", { text: "one\r\n\r\n  two\n  three\u0000 \uD800\n\n\n" });
	expect(extraction.blocks.map((block) => block.text)).toEqual(["one", "  two\n  three \uFFFD"]);
});

test("blank text and blank files are empty, and a picture is no text", async () => {
	const extractor = await start();
	expect(await codeOf(read(extractor, " \n\t\n", "text/plain"))).toBe("CONTENT_EMPTY");
	expect(await codeOf(read(extractor, "", "text/plain", { text: " \n" }))).toBe("CONTENT_EMPTY");
	expect(await codeOf(read(extractor, fixture("strip.png"), "text/plain"))).toBe("FILE_BROKEN");
});

test("the colours of a terminal are left out", async () => {
	const { extraction } = await read(await start(), new TextEncoder().encode("\x1b[1;31mfailed\x1b[0m: \x1b[?25lthe lamp is out"), "text/plain");
	expect(extraction.text).toBe("failed: the lamp is out");
});
