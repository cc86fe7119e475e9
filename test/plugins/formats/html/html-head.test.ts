/** What pages say about themselves, in the ways they say it. */

import { describe, expect, test } from "bun:test";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { headOf } from "../../../../plugins/formats/html/html-head.ts";
import { isoDate } from "../../../../plugins/formats/text/iso-date.ts";

const address = "https://courier.example/2024/storm?utm_source=mail";
const about = (html: string) => headOf(unified().use(rehypeParse).parse(html), address).about;
const linked = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;

test("a page of a newspaper, as its system writes it", () => {
	const head = `<html lang="en-GB"><head><base href="https://cdn.example/"><title>Storm – The Courier</title>
		<link rel="canonical" href="https://courier.example/2024/storm"><meta property="og:image" content="/pictures/storm.jpg">
		<meta property="og:site_name" content="The Courier"><meta name="author" content="By Ada Keeper">
		<meta property="article:published_time" content="2024-05-01T10:00:00+02:00"></head>`;
	expect(about(head)).toEqual({
		author: "Ada Keeper",
		publishedAt: "2024-05-01T08:00:00.000Z",
		canonical: "https://courier.example/2024/storm",
		image: "https://cdn.example/pictures/storm.jpg",
		siteName: "The Courier",
	});
});

describe("linked data", () => {
	test("of an article within a graph counts more than the page around it, and more than meta elements", () => {
		const graph = [
			{ "@type": "WebPage", datePublished: "2001-01-01", author: "Nobody" },
			{
				"@type": ["Thing", "NewsArticle"],
				datePublished: "2024-05-01",
				author: [{ "@type": "Person", name: "Ada Keeper" }, { name: "Ben Stone" }],
				image: [{ url: "https://courier.example/a.png" }],
				publisher: { name: "The Courier" },
			},
		];
		expect(about(`<meta name="author" content="Staff">${linked({ "@context": "https://schema.org", "@graph": graph })}`)).toEqual({
			author: "Ada Keeper, Ben Stone",
			publishedAt: "2024-05-01",
			image: "https://courier.example/a.png",
			siteName: "The Courier",
		});
	});

	test.each([
		["of a shop says nothing", linked({ "@type": "Product", author: "Ada", datePublished: "2024-05-01" })],
		["that is broken says nothing", '<script type="application/ld+json">{"@type": "Article", </script>'],
		["of odd types says nothing", linked({ "@type": "Article", author: 7, datePublished: { a: 1 }, image: [[]], publisher: [null] })],
		["nested without end says nothing", linked({ "@type": "A", "@graph": [[[[[[{ "@type": "Article", author: "Ada" }]]]]]] })],
	])("%s", (_name, html) => {
		expect(about(html)).toEqual({});
	});
});

test("marks in the text of a page without meta elements", () => {
	const html =
		'<article><a rel="author" href="/ada">Ada Keeper</a><time class="dt-published" datetime="2024-05-01">May</time><time datetime="1999-01-01">then</time></article>';
	expect(about(html)).toEqual({ author: "Ada Keeper", publishedAt: "2024-05-01" });
});

test("a profile's address is no author, a script no picture, and a scholar's page names all authors", () => {
	expect(about('<meta property="article:author" content="https://social.example/ada"><meta property="og:image" content="javascript:alert(1)">')).toEqual({});
	expect(about('<meta name="citation_author" content="Ada"><meta name="citation_author" content="Ben"><meta name="citation_date" content="2024/5/1">')).toEqual(
		{
			author: "Ada, Ben",
			publishedAt: "2024-05-01",
		},
	);
});

test("the language of the answer stands in when the document names none", () => {
	const page = (html: string) => headOf(unified().use(rehypeParse).parse(html), null).language;
	expect(page('<meta http-equiv="Content-Language" content="de">')).toBe("de");
	expect(page('<html lang="fr"><meta http-equiv="Content-Language" content="de">')).toBe("fr");
});

describe("days", () => {
	test.each([
		["2024-05-01", "2024-05-01"],
		["2024-05-01T10:00:00Z", "2024-05-01T10:00:00.000Z"],
		["2024-05-01T10:00:00.123456+0200", "2024-05-01T08:00:00.000Z"],
		["2024-05-01 23:30", "2024-05-01"],
		["2024/5/1", "2024-05-01"],
		["20240501", "2024-05-01"],
		["Wed, 01 May 2024 10:00:00 GMT", "2024-05-01T10:00:00.000Z"],
		["1st May 2024", "2024-05-01"],
		["May 1, 2024 8:00 AM EST", "2024-05-01"],
		["Sept. 3, 2024", "2024-09-03"],
		["2024-02-30", null],
		["0001-01-01T00:00:00Z", null],
		["yesterday", null],
		["01/05/2024", null],
		["", null],
	])("%s is %s", (written, day) => {
		expect(isoDate(written)).toBe(day);
	});
});
