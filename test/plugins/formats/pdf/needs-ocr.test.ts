/** When a page's own text is trusted, and when its picture is read instead. */

import { expect, test } from "bun:test";
import { needsOcr, type PageText } from "../../../../plugins/formats/pdf/page-text.ts";

function pageOf(...texts: readonly string[]): PageText {
	const lines = texts.map((text, at) => ({
		text,
		box: [0, at * 12, 100, at * 12 + 10] as const,
		size: 10,
		isBold: false,
		isItalic: false,
		isSmallCaps: false,
		isMono: false,
		hasDot: false,
		block: at,
	}));
	return { width: 595, height: 842, lines, pictureShare: 0, rules: [], isRightToLeft: false };
}

const words = "The harbour is read line by line.";

test.each([
	["a page of words", pageOf(words, words), false],
	["a page without text", pageOf(), true],
	["signs that stand for unknown letters", pageOf(`${words.slice(0, 20)}${"\uFFFD".repeat(3)}`), true],
	["list items behind signs of a symbol font", pageOf("\uF0B7 one", "\uF0B7 two", "\uF0B7", "three"), false],
	["contents whose dots lead to page numbers", pageOf(...["1 Sails", "2 Ropes", "3 Tides"].map((title, at) => `${title} ${". ".repeat(60)}${at}`)), false],
	["a form with lines to be filled in", pageOf(`Name ${"_".repeat(50)}`, `Date ${"_".repeat(20)} Place ${"…".repeat(20)}`, `Signed ${"-".repeat(80)}`), false],
	["signs without sense, however many of one kind", pageOf('!"#$%&!"#$%&'.repeat(5), `${"=".repeat(60)}(')*+,-./:;`), true],
	["a text of such signs", pageOf("\uF041\uF042\uF043\uF044"), true],
] as const)("%s", (_, page, isRead) => {
	expect(needsOcr(page)).toBe(isRead);
});
