/** Pages and Keynote: text in its order, and parts that lie about their lengths. */

import { describe, expect, test } from "bun:test";
import type { MediaType } from "cairn-memory";
import officePlugin from "../../../../plugins/extractors/office/index.ts";
import { decompressSnappy } from "../../../../plugins/formats/iwork/snappy.ts";
import { blockOf, keynoteOf, pagesOf, textObject, varint } from "../../../doubles/iwork-files.ts";
import { zipOf } from "../../../doubles/zip-of.ts";
import { codeOf, extractorNamed, read, testContract } from "../samples.ts";

const start = () => extractorNamed(officePlugin(), "iwork");
const pages = "application/vnd.apple.pages";
const keynote = "application/vnd.apple.keynote";
const textIn = async (bytes: Uint8Array, type: MediaType = pages) => (await read(await start(), bytes, type)).extraction.text;

const report = pagesOf(textObject(1, "Beside the text"), textObject(2, "The keeper slept.\n\uFFFC\u0005Nobody woke him.\u2028At all.", 0));

describe("laws", () => {
	testContract(start, [
		{ bytes: report, mediaType: pages, fileName: "a.pages", words: "The keeper slept. Nobody woke him. At all. Beside the text".split(" "), headings: [] },
	]);
});

test("of Pages the body is first; pictures and breaks are no letters", async () => {
	expect(await textIn(report)).toBe("The keeper slept.\n\nNobody woke him.\n\nAt all.\n\nBeside the text");
});

test("slides come as they are shown, notes last, and what stands on master slides is not read", async () => {
	const slides = [[textObject(5, "Second")], [textObject(7, "Look up", 4), textObject(6, "First")], [textObject(8, "Not shown")]];
	const { extraction } = await read(await start(), keynoteOf(slides, [1, 0, 1]), keynote);
	expect(extraction.text).toBe("First\n\nNotes: Look up\n\nSecond");
	expect(extraction.blocks.map(({ place }) => place.slide)).toEqual([1, 1, 2]);
});

test("parts may lie in a ZIP inside; those of older versions are no parts at all", async () => {
	expect(await textIn(zipOf({ "A.pages/Index.zip": report }))).toContain("The keeper slept.");
	expect(await codeOf(textIn(zipOf({ "index.xml": "<document/>" })))).toBe("EXTRACTOR_MISSING");
});

test("Snappy: literals, copies that repeat themselves, and what is damaged", () => {
	const block = Buffer.from([10, 1 << 2, 0x61, 0x62, (7 << 2) | 2, 2, 0]); // "ab", and eight bytes from two before
	expect(Buffer.from(decompressSnappy(block, 100)).toString()).toBe("ababababab");
	const long = Buffer.concat([varint(300), Buffer.from([61 << 2, 299 & 0xff, 299 >> 8]), Buffer.alloc(300, 0x78)]);
	expect(decompressSnappy(long, 1_000)).toHaveLength(300);
	for (const damaged of [[], [0xff, 0xff, 0xff, 0xff, 0xff, 1], [5, 0, 0x61], [4, 0, 0x61, (3 << 2) | 2, 9, 0], [2, 0xfc, 0xff, 0xff, 0xff, 0xff]])
		expect(() => decompressSnappy(Buffer.from(damaged), 1_000)).toThrow(/FILE_BROKEN|decompressed|damaged|broken/i);
	expect(() => decompressSnappy(long, 100)).toThrow();
});

test("bytes that are no messages are broken, whatever they are", async () => {
	for (let seed = 1; seed < 200; seed++) {
		const noise = Buffer.from(Array.from({ length: 40 }, (_, at) => (seed * 7919 * (at + 3) + (at >> 2) * seed) % 256));
		const part = blockOf(Buffer.concat([varint(noise.length), Buffer.from([(noise.length - 1) << 2]), noise]));
		expect(["FILE_BROKEN", "CONTENT_EMPTY"]).toContain(await codeOf(textIn(zipOf({ "Index/Document.iwa": part }))));
	}
});
