/** Words of posts, however they are written, become paragraphs: once plain, once with links. */

import { describe, expect, test } from "bun:test";
import { linkTo, paragraphsOfText } from "../../../plugins/address-readers/paragraph.ts";
import { htmlToText, paragraphsOfHtml } from "../../../plugins/address-readers/post-html.ts";
import { paragraphsOfMarkdown } from "../../../plugins/address-readers/post-markdown.ts";

const link = "[harbour.example](https://harbour.example/)";

describe("plain text", () => {
	test("an empty line begins a paragraph, a line stays a line", () => {
		expect(paragraphsOfText(" one \r\ntwo\r\n \r\nthree").map(({ text }) => text)).toEqual(["one\ntwo", "three"]);
	});

	test("links show where they lead, or leave what they stood for", () => {
		const text = "See https://t.co/a and https://t.co/b";
		const links = [
			{ begin: 4, end: 18, url: "https://harbour.example/", label: "harbour.example" },
			{ begin: 23, end: 37, url: null },
		];
		expect(paragraphsOfText(text, links)).toEqual([{ text: "See harbour.example and", markdown: `See ${link} and` }]);
	});

	test("links that lie outside or over each other are passed over", () => {
		const odd = [
			{ begin: 0, end: 900, url: "https://a.example" },
			{ begin: 2, end: 1, url: "https://a.example" },
			{ begin: 0, end: 2, url: "https://a.example" },
			{ begin: 1, end: 3, url: "https://b.example" },
		];
		expect(paragraphsOfText("words", odd)).toEqual([{ text: "words", markdown: "[wo](https://a.example/)rds" }]);
	});

	test("no link leads to a script", () => {
		expect(linkTo("javascript:alert(1)", "click")).toBe("click");
	});
});

describe("HTML", () => {
	test("as Mastodon writes it, with links whose scheme and end are hidden", () => {
		const html = `<p>Storm tonight &amp; tomorrow.<br>See <a href="https://harbour.example/tides?a=1&amp;b=2" rel="nofollow"><span class="invisible">https://</span><span class="ellipsis">harbour.example/tides</span><span class="invisible">?a=1&amp;b=2</span></a></p><p>Thanks <span class="h-card"><a href="https://m.example/@ben" class="u-url mention">@<span>ben</span></a></span>!</p>`;
		expect(paragraphsOfHtml(html)).toEqual([
			{
				text: "Storm tonight & tomorrow.\nSee harbour.example/tides",
				markdown: "Storm tonight & tomorrow.\nSee [harbour.example/tides](https://harbour.example/tides?a=1&b=2)",
			},
			{ text: "Thanks @ben!", markdown: "Thanks [@ben](https://m.example/@ben)!" },
		]);
	});

	test("as Hacker News writes it: paragraphs without an end, code, escaped slashes", () => {
		const html = "One &#x2F; two<p>It&#x27;s <i>three</i><p><pre><code>let x = 1;\n</code></pre><script>alert(1)</script>";
		expect(paragraphsOfHtml(html).map(({ text }) => text)).toEqual(["One / two", "It's three", "let x = 1;"]);
		expect(paragraphsOfHtml(html)[1]?.markdown).toBe("It's *three*");
	});

	test("whatever comes is read in one pass", () => {
		expect(htmlToText("a < b & c > d &unknown; &#0; <")).toBe("a < b & c > d &unknown; &#0; <");
		expect(htmlToText("<".repeat(50_000)).length).toBe(50_000);
		expect(htmlToText("<a href='".repeat(20_000)).length).toBeGreaterThan(0);
		expect(htmlToText("<a>".repeat(20_000))).toBe("");
	});
});

test("Markdown loses its marks in the plain writing alone", () => {
	const markdown = "# Storm\n\nSee [harbour.example](https://harbour.example/), it is **very** *wet*.\n\n> quoted\n\n2 * 3 * 4 and snake_case_name";
	expect(paragraphsOfMarkdown(markdown)).toEqual([
		{ text: "Storm", markdown: "# Storm" },
		{ text: "See harbour.example, it is very wet.", markdown: `See ${link}, it is **very** *wet*.` },
		{ text: "quoted", markdown: "> quoted" },
		{ text: "2 * 3 * 4 and snake_case_name", markdown: "2 * 3 * 4 and snake_case_name" },
	]);
});
