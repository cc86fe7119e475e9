/** Arabic and Hebrew in PDFs: programs draw signs from left to right, and readers want words. */

import { expect, test } from "bun:test";
import * as mupdf from "mupdf";
import pagesPlugin from "../../../../plugins/extractors/pages/index.ts";
import { type Glyph, readingOrder } from "../../../../plugins/formats/pdf/letters/right-to-left.ts";
import { linesOf as linesOfSpans } from "../../../../plugins/formats/pdf/page-text.ts";
import { arabicPdf } from "../../../doubles/arabic-pdf.ts";
import { extractorNamed, read } from "../../extractors/samples.ts";

/** As they lie on the page from left to right, ten points each. */
const drawn = (signs: string): readonly Glyph[] => [...signs].map((text, at) => ({ text, left: at * 10, right: at * 10 + 10, isInserted: false }));
const backwards = (text: string) => [...text].reverse().join("");

test("words are read from the right, numbers and other scripts in them from the left", () => {
	expect(readingOrder(drawn(`${backwards("בדף")} 12 ${backwards("ראו")}`), true)).toBe("ראו 12 בדף");
	expect(readingOrder(drawn(`.${backwards("של")} Windows 10 Pro ${backwards("גרסה")}`), true)).toBe("גרסה Windows 10 Pro של.");
	expect(readingOrder(drawn(`${backwards("עד")} 8:30 ${backwards("בשעה")}`), true)).toBe("בשעה 8:30 עד");
	expect(readingOrder(drawn(`5 10 ${backwards("שש")}`), true)).toBe("שש 10 5");
});

test("a per cent stands before the number among Arabic, and behind it among Hebrew", () => {
	expect(readingOrder(drawn(`${backwards("عن")} %15 ${backwards("بنسبة")}`), true)).toBe("بنسبة 15% عن");
	expect(readingOrder(drawn(`${backwards("מס")} 17% ${backwards("כולל")}`), true)).toBe("כולל 17% מס");
});

test("a line of another script keeps its direction, whatever the page is written in", () => {
	const line = drawn(`The word ${backwards("שלום עולם")} means hello`);
	expect(readingOrder(line, true)).toBe("The word שלום עולם means hello");
	expect(readingOrder(line, false)).toBe("The word שלום עולם means hello");
});

test("brackets are those that close what they open", () => {
	expect(readingOrder(drawn(`)3 ${backwards("صفحة")}( ${backwards("انظر")}`), true)).toBe("انظر (صفحة 3)");
	expect(readingOrder(drawn(`(3 ${backwards("صفحة")}) ${backwards("انظر")}`), true)).toBe("انظر (صفحة 3)");
});

test("ligatures and marks stay with their letters", () => {
	const ligature: readonly Glyph[] = [
		{ text: "م", left: 0, right: 8, isInserted: false },
		{ text: "ل", left: 8, right: 16, isInserted: false },
		{ text: "ا", left: 16, right: 16, isInserted: false }, // drawn with the lam
		{ text: "س", left: 16, right: 26, isInserted: false },
	];
	expect(readingOrder(ligature, true)).toBe("سلام");
	const hollow = (text: string): Glyph => ({ text, left: 10, right: 10, isInserted: false });
	const name: readonly Glyph[] = [{ text: "ا", left: 0, right: 10, isInserted: false }, ...[..."لله"].map(hollow)];
	expect(readingOrder(name, true)).toBe("الله");
	expect(readingOrder(name.toReversed(), true)).toBe("الله");
	const told: readonly Glyph[] = [{ text: "ح", left: 0, right: 10, isInserted: false }, ...[..."\u064eبيبي ha"].map(hollow)];
	expect(readingOrder(told, true)).toBe("حبَيبي ha");
	const marked: readonly Glyph[] = [
		{ text: "ם", left: 0, right: 9, isInserted: false },
		{ text: "\u05b0", left: 14, right: 14, isInserted: false },
		{ text: "ש", left: 10, right: 18, isInserted: false },
	];
	expect(readingOrder(marked, true)).toBe("ש\u05b0ם");
	expect(readingOrder(drawn("\ufeae\ufea4\ufe91"), true)).toBe("بحر"); // presentation forms
});

/** Letters of the Latin alphabet that stand for Hebrew ones: `abc` is drawn, and means the first three. */
function hebrewPdf(...content: readonly string[]): Uint8Array {
	const pdf = new mupdf.PDFDocument();
	const font = pdf.addSimpleFont(new mupdf.Font("Courier"));
	const codes = Array.from({ length: 22 }, (_, at) => `<${(97 + at).toString(16)}> <${(0x5d0 + at).toString(16).padStart(4, "0")}>`).join("\n");
	const map = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 22 beginbfchar ${codes} endbfchar endcmap end`;
	font.put("ToUnicode", pdf.addStream(map, {}));
	pdf.insertPage(-1, pdf.addPage([0, 0, 595, 842], 0, pdf.addObject({ Font: { F1: font } }), content.join("\n")));
	return pdf.saveToBuffer("").asUint8Array();
}

const words = (x: number, y: number, text: string) => `BT /F1 10 Tf ${x} ${842 - y} Td (${text}) Tj ET`;

test("the first column of a table is the one on the right", async () => {
	const table = [100, 120, 140].flatMap((y, row) => [words(400, y, "cba"), words(300, y, `${row}7`), words(200, y, "fed")]);
	const { extraction } = await read(await extractorNamed(pagesPlugin(), "pdf"), hebrewPdf(words(300, 60, "abc abc abc abc"), ...table), "application/pdf");
	const rows = extraction.blocks.flatMap((block) => (block.kind === "row" ? [block] : []));
	expect(rows.map(({ cells }) => cells)).toEqual([0, 1, 2].map((row) => ["אבג", `${row}7`, "דהו"]));
	const [left = 0, , right = 0] = rows[0]?.place.box ?? [];
	expect([Math.round(left), Math.round(right)]).toEqual([200, 418]); // where it stands, not in the mirror
});

const linesOf = async (...file: Parameters<typeof arabicPdf>) =>
	(await read(await extractorNamed(pagesPlugin(), "pdf"), arabicPdf(...file), "application/pdf")).extraction.text.split("\n\n");

test.each([false, true])("a lam and its alef are read in their order, told from the left: %p", async (isTurned) => {
	const lines = ["هذه علاقة ثلاثة أولاد", "لا إله بلا شك", "السلام خلال الإنتاجية", "طلاب الآن لأن"];
	expect(await linesOf(lines, isTurned)).toEqual(lines);
});

test("an alef before a lam with an alef is not lost, though MuPDF takes it for drawn twice", async () => {
	const lines = ["مجلة الاسلام", "والاقتصاد الاجتماع", "الأول والآن", "باب لا"];
	expect(await linesOf(lines)).toEqual(lines);
});

test("dates and amounts hold together where nothing Arabic stands before them, and with the signs of their script", async () => {
	const lines = ["1403-09-19 نشست", "۱۴۰۳-۰۹-۱۹ نشست", "۱۴۰۳-۰۹-۱۹", "مورخ 1403/09/19 نشست", "مبلغ ۱۲٬۵۰۰ ریال", "نرخ ۳٫۵ درصد"];
	expect(await linesOf(lines)).toEqual(lines);
});

test("behind Arabic letters a number with dashes is drawn from the right", () => {
	expect(readingOrder(drawn(`19-09-1403 ${backwards("نشست")}`), true)).toBe("نشست 1403-09-19");
	expect(readingOrder(drawn(`١٩-٠٩-١٤٠٣`), true)).toBe("١٤٠٣-٠٩-١٩");
	expect(readingOrder(drawn(`${backwards("تخفیف")} 50%`), true)).toBe("50% تخفیف");
});

test("a short word between spaces that were drawn before it stays on its line", async () => {
	const stretch = (text: string, left: number) => ({
		text,
		...{ size: 20, isBold: false, isItalic: false, isSmallCaps: false, isMono: false },
		box: [left, 100, left + text.length * 10, 120] as const,
		glyphs: drawn(text).map((glyph) => ({ ...glyph, left: glyph.left + left, right: glyph.right + left })),
	});
	const spans = [stretch(" ", 290), stretch(backwards("نسخه"), 300), stretch("Windows 10", 190), stretch(" ", 150), stretch(`${backwards("در")} `, 160)];
	expect(linesOfSpans([spans], [], true).map(({ text }) => text)).toEqual(["نسخه Windows 10 در"]);
});
