/** The JSON extractor: fields, tables, lines, what is damaged, the contract tests. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import jsonPlugin from "../../../plugins/extractors/json/index.ts";
import { type DataValue, isRecord, isScalar } from "../../../plugins/formats/data/data-value.ts";
import { parseJson } from "../../../plugins/formats/json/json-reader.ts";
import type { ExtractorSample } from "../../contract/extractor-contract.ts";
import { codeOf, extractorNamed, read, testContract } from "./samples.ts";

const start = () => extractorNamed(jsonPlugin(), "json");
const harbour = {
	name: "Brennik",
	built: 1874,
	lamp: { range: "eleven miles", colours: ["white", "red"] },
	keepers: [
		{ name: "Ola", years: 12, home: { town: "Vik" } },
		{ name: "Siri", years: 7, home: { town: "Lund" } },
	],
};

function sampleOf(text: string, mediaType: ExtractorSample["mediaType"], words: string): ExtractorSample {
	return { bytes: new TextEncoder().encode(text), mediaType, fileName: "harbour.json", words: words.split(" ") };
}

describe("laws", () => {
	const words = "name Brennik built 1874 lamp.range eleven miles lamp.colours white red keepers name years home.town Ola 12 Vik Siri 7 Lund";
	testContract(start, [
		sampleOf(JSON.stringify(harbour), "application/json", words),
		sampleOf('{"a":"one","b":"two"}\n', "application/x-ndjson", "a one b two"),
	]);
});

async function extract(text: string, mediaType: ExtractorSample["mediaType"] = "application/json") {
	return await read(await start(), text, mediaType);
}

test("fields stand with their path, records of one kind are rows", async () => {
	const { extraction } = await extract(JSON.stringify(harbour));
	expect(extraction.text).toBe(
		"name: Brennik\nbuilt: 1874\n\nlamp.range: eleven miles\nlamp.colours: white, red\n\nkeepers\n\n" +
			"| name | years | home.town |\n| --- | --- | --- |\n| Ola | 12 | Vik |\n| Siri | 7 | Lund |",
	);
	expect(extraction.title).toBe("Brennik");
	expect(extraction.blocks.at(-1)).toMatchObject({ kind: "row", text: "name: Siri; years: 7; home.town: Lund", table: 1 });
});

test("records under names of their own are rows that begin with the name", async () => {
	const { blocks } = (await extract('{"ola":{"years":12,"town":"Vik"},"siri":{"years":7,"town":"Lund"},"per":{"years":3,"town":"Oslo"}}')).extraction;
	expect(blocks.map(({ text }) => text)).toEqual(["ola; years: 12; town: Vik", "siri; years: 7; town: Lund", "per; years: 3; town: Oslo"]);
});

test("records of different kinds, and those with lists of records, are told field by field", async () => {
	const { extraction } = await extract('[{"a":1},{"b":[{"c":2},{"d":[{"e":3}]}]},"x"]');
	expect(extraction.text).toBe("[0].a: 1\n\n[1].b[0].c: 2\n\n[1].b[1].d[0].e: 3\n\n[2]: x");
});

test("a list of lists is a table, with a header where the first row names its columns", async () => {
	const { blocks } = (await extract('{"data":[["year","storms"],[1901,4],[1902,9]]}')).extraction;
	expect(blocks.map(({ text }) => text)).toEqual(["data", "year: 1901; storms: 4", "year: 1902; storms: 9"]);
	expect((await extract("[[1,2],[3,4]]")).extraction.blocks.map(({ text }) => text)).toEqual(["1; 2", "3; 4"]);
});

test("numbers keep their digits, repeated names stay, nothing is said of null", async () => {
	const { extraction } = await extract('\uFEFF{"n":12345678901234567890.10,"n":1e400,"x":null,"y":"","z":true}');
	expect(extraction.text).toBe("n: 12345678901234567890.10\nn: 1e400\nz: true");
});

test("escapes are read, long texts are paragraphs, bytes in letters are left out", async () => {
	const story = "The keeper wrote every storm down. ".repeat(12).trim();
	const { extraction, step } = await extract(
		JSON.stringify({ a: 'café "x" \\ \ud83d\ude00', story: `${story}\n\nThe end.`, photo: "iVBORw0KGgo".repeat(200) }),
	);
	expect(extraction.blocks.map(({ text }) => text)).toEqual(['a: café "x" \\ 😀', `story: ${story}`, "The end."]);
	expect(step.warnings).toEqual([{ code: "BYTES_SKIPPED", message: "1 values are encoded bytes and were left out" }]);
});

test("comments and commas too many are forgiven", async () => {
	const { extraction, step } = await extract('// settings\n{"a": 1, /* two */ "b": [2, 3,],}\n');
	expect(extraction.text).toBe("a: 1\nb: 2, 3");
	expect(step.warnings).toEqual([]);
});

test("what is broken is read as far as it goes, and the rest as text", async () => {
	const cut = await extract('{"a": 1,\n"b": "cut of');
	expect(cut.extraction.text).toBe("a: 1\nb: cut of");
	expect(cut.step.warnings[0]).toMatchObject({ code: "JSON_BROKEN", message: expect.stringContaining("it ends too early, in line 2") });
	const odd = await extract('{"a": 1,\n"b": oops, "c": 3}');
	expect(odd.extraction.text).toBe('a: 1\n\noops, "c": 3}');
	expect(odd.step.warnings[0]?.message).toContain("in line 2");
});

test("lines of one kind are rows that know their line, broken lines are kept", async () => {
	const { extraction, step } = await extract('{"who":"Ola","storms":4}\n\noops {\n{"who":"Siri","storms":9}\n', "application/x-ndjson");
	expect(extraction.blocks.map(({ kind, text, place }) => [kind, text, place.row])).toEqual([
		["row", "who: Ola; storms: 4", 1],
		["paragraph", "oops {", undefined],
		["row", "who: Siri; storms: 9", 4],
	]);
	expect(step.warnings).toEqual([{ code: "JSON_LINES_BROKEN", message: "1 lines are not JSON and were read as plain text, the first is line 3" }]);
	expect((await extract('{"a":1,"b":2}\n{"a":2,"b":3}\n')).extraction.blocks.map(({ place }) => place.row)).toEqual([1, 2]);
});

test("nesting beyond reason is shown as it is written", async () => {
	const { extraction, step } = await extract(`${'{"a":'.repeat(50_000)}"deep"${"}".repeat(50_000)}`);
	expect(extraction.text).toContain('"deep"');
	expect(step.warnings).toEqual([{ code: "JSON_TOO_DEEP", message: "values that are nested too deeply were kept as JSON text" }]);
	const open = await extract("[".repeat(200_000));
	expect(open.step.warnings.map(({ code }) => code)).toEqual(["JSON_BROKEN", "JSON_TOO_DEEP"]);
});

test("a scalar alone is shown, blank text is empty", async () => {
	expect((await extract("42")).extraction.text).toBe("42");
	expect((await extract("[]")).extraction.text).toBe("[]");
	expect(await codeOf(extract(" \n"))).toBe("CONTENT_EMPTY");
});

test("records of a long text, read again when they are looked at, are the ones that were read", () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 6 }), fc.boolean(), (value, isCut) => {
			const text = JSON.stringify({ list: [{ value }, [value, { a: [{ value }], "": null }]], value });
			const written = isCut ? text.slice(0, Math.floor(text.length / 2)) : text;
			const kept = parseJson(written, 0, { longCharacters: Number.POSITIVE_INFINITY });
			const passed = parseJson(written, 0, { longCharacters: 0 });
			expect({ ...passed, value: unfolded(passed.value) }).toEqual({ ...kept, value: unfolded(kept.value) });
		}),
		{ seed: 20_261_121, numRuns: 200 },
	);
});

/** As plain lists, however it is kept. */
function unfolded(value: DataValue | null): unknown {
	if (value === null || isScalar(value)) return value;
	return isRecord(value) ? { entries: value.entries.map(([name, each]) => [name, unfolded(each)]) } : value.items.map(unfolded);
}
