/** A text that is mostly something else than words gets a remark, and one that a person has written gets none, whatever its script. */

import { describe, expect, test } from "bun:test";
import type { Block } from "cairn-memory";
import { doubtAbout } from "../../../core/ingest/plausible.ts";

const at = { headings: [], place: {} };
const paragraph = (text: string): Block => ({ ...at, kind: "paragraph", text });
const row = (...cells: readonly string[]): Block => ({ ...at, kind: "row", text: cells.join("; "), cells, header: [], table: 1 });
const messageOf = (...blocks: readonly Block[]) => doubtAbout(blocks)?.message ?? null;

const letters = "The keeper counted the ships and drew the coast from memory. ".repeat(4);

describe("there is a remark about", () => {
	for (const [what, blocks, words] of [
		["a wrong encoding", [paragraph(letters.replaceAll("e", "\uFFFD"))], "no letters of any script"],
		["a font without names for its letters", [paragraph(letters.replaceAll("e", "\uE012"))], "no letters of any script"],
		["bytes of a program in a table", [row(letters.replaceAll("e", "\u0002"), "x")], "no letters of any script"],
		["tags that nobody has read", [paragraph("<tr class='x'><td>1</td><td>2</td></tr>\n".repeat(20))], "markup"],
		["a picture in letters", [paragraph("A mail."), paragraph("iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAIAAADbtmxLAAABmGlDQ1BpY2MA\n".repeat(20))], "encoded data"],
		["a drawing of signs", [paragraph("+=-=|=*=+\n".repeat(40))], "neither letters nor digits"],
		["weights of a model", [paragraph("0.0208829 -0.05145498 5.127922\n".repeat(20))], "digits"],
	] as const)
		test(what, () => {
			const doubt = doubtAbout(blocks);
			expect(doubt?.code).toBe("TEXT_DOUBTFUL");
			expect(doubt?.message).toContain(words);
		});
});

describe("there is none about", () => {
	const code: Block = { ...at, kind: "code", language: "html", text: "<td>1</td>".repeat(40) };
	for (const [what, blocks] of Object.entries<readonly Block[]>({
		"words of any script": [
			"灯台守はすべての嵐を青い手帳に書いた。",
			"Смотритель маяка записывал шторм.",
			"كتب حارس المنارة كل عاصفة.",
			"คนเฝ้าประภาคารจดพายุทุกครั้ง",
			"등대지기는 폭풍을 적었다.",
		].map((text) => paragraph(text.repeat(8))),
		"a table of numbers": Array.from({ length: 40 }, () => row("12.5", "99.1", "2026-05-04")),
		"source code": [code],
		"a page with some tags in its words": [paragraph(`${letters}<div> and <span> are elements of HTML.`)],
		"rules and addresses": [paragraph(letters), paragraph("=".repeat(400)), paragraph(`https://example.org/${"a1b2/".repeat(30)}`)],
		"a formula or two": [paragraph("∀ε>0 ∃δ>0: |x−a|<δ ⇒ |f(x)−f(a)|<ε, which every student of analysis has to know by heart in the first year.")],
		"very little text": [paragraph("12:30 – 14:00")],
		emoji: [paragraph("Great! 🎉 See you there 👍 ".repeat(8))],
	}))
		test(what, () => expect(messageOf(...blocks)).toBeNull());
});

test("a million blocks, or one of fifty million characters, take bounded time", () => {
	const began = performance.now();
	doubtAbout(Array.from({ length: 1_000_000 }, () => paragraph("<a".repeat(20))));
	doubtAbout([paragraph("<a".repeat(25_000_000))]);
	doubtAbout([paragraph("a1".repeat(25_000_000))]);
	expect(performance.now() - began).toBeLessThan(20_000);
});
