/** The XML extractor: records, texts, feeds, outlines, drawings, what is damaged, the contract tests. */

import { describe, expect, test } from "bun:test";
import xmlPlugin from "../../../plugins/extractors/xml/index.ts";
import { codeOf, extractorNamed, read, testContract } from "./samples.ts";

const start = () => extractorNamed(xmlPlugin(), "xml");

async function extract(text: string | Uint8Array) {
	return await read(await start(), text, "text/xml");
}

const boats = `<?xml version="1.0"?><boats xmlns="urn:x" port="Vik">
	<boat id="1"><name>Maribel</name><built>1902</built></boat><boat id="2"><name>Anna &amp; Bo</name><built>1911</built></boat>
	<note>Two of <b>five</b> are left.</note></boats>`;
const rss = `<rss version="2.0" xmlns:content="c" xmlns:dc="d"><channel><title>Harbour news</title><description>Boats and tides</description><language>en-gb</language>
	<item><title>High water &lt;b&gt;today&lt;/b&gt;</title><link>https://example.org/high(er)</link><dc:creator>Ola</dc:creator><pubDate>Mon, 01 Jan 2024</pubDate>
	<description>short</description><content:encoded><![CDATA[<p>The water <em>came</em>.</p><script>x()</script>]]></content:encoded></item>
	<item><title>Fog</title><description>Nobody &lt;i&gt;sailed&lt;/i&gt;.</description></item></channel></rss>`;

describe("laws", () => {
	const sample = (text: string, words: string, headings: readonly string[]) =>
		({ bytes: new TextEncoder().encode(text), mediaType: "text/xml", fileName: "a.xml", words: words.split(" "), headings }) as const;
	testContract(start, [
		sample(boats, "port Vik boat id name built 1 Maribel 1902 2 Anna Bo 1911 note Two of five are left", []),
		sample(rss, "Harbour news Boats and tides High water today Ola Mon 01 Jan 2024 The water came Fog Nobody sailed", [
			"Harbour news",
			"High water today",
			"Fog",
		]),
	]);
});

test("records are rows, fields have their path, mixed text is one text", async () => {
	const { extraction } = await extract(boats);
	expect(extraction.text).toBe(
		"port: Vik\n\nboat\n\n| id | name | built |\n| --- | --- | --- |\n| 1 | Maribel | 1902 |\n| 2 | Anna & Bo | 1911 |\n\nnote: Two of five are left.",
	);
});

test("a text in XML is read as one: headings, paragraphs, lists and code in their order", async () => {
	const { extraction } = await extract(
		"<book><title>Tides</title><chapter><title>Low</title><para>The <emphasis>rock</emphasis> is dry.</para><itemizedlist><listitem><para>one</para></listitem></itemizedlist>" +
			"<programlisting>tide --low\n  now</programlisting></chapter><chapter><title>High</title><para>The rock is wet.</para></chapter></book>",
	);
	expect(extraction.blocks.map(({ kind, text }) => [kind, text])).toEqual([
		["heading", "Tides"],
		["heading", "Low"],
		["paragraph", "The rock is dry."],
		["paragraph", "one"],
		["code", "tide --low\n  now"],
		["heading", "High"],
		["paragraph", "The rock is wet."],
	]);
	expect(extraction.title).toBe("Tides");
	expect(extraction.blocks.at(-1)?.headings).toEqual(["Tides", "High"]);
});

test("RSS: entries have a linked title, a line of facts, and their text without scripts", async () => {
	const { extraction } = await extract(rss);
	expect(extraction.text).toBe(
		"# Harbour news\n\nBoats and tides\n\n## [High water today](https://example.org/high%28er%29)\n\nOla · Mon, 01 Jan 2024\n\nThe water *came*.\n\n## Fog\n\nNobody *sailed*.",
	);
	expect(extraction).toMatchObject({ title: "Harbour news", description: "Boats and tides", language: "en-GB" });
});

test("Atom: XHTML inside, links by their relation, dangerous ones go", async () => {
	const { extraction } = await extract(
		'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>Log</title><entry><title type="text">First</title><link rel="self" href="https://a.example/self"/>' +
			'<link href="https://a.example/1"/><author><name>Siri</name><email>s@a.example</email></author><updated>2024-01-02</updated>' +
			'<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>See <a href="/x">this</a> &amp; <a href="javascript:y()">that</a></p></div></content></entry></feed>',
	);
	expect(extraction.text).toBe("# Log\n\n## [First](https://a.example/1)\n\nSiri · 2024-01-02\n\nSee [this](https://a.example/x) & that");
	expect(extraction.language).toBe("en");
});

test("OPML is a list, a drawing is its words", async () => {
	const opml =
		'<opml version="2.0"><head><title>Reads</title></head><body><outline text="Sea"><outline text="Tides" xmlUrl="https://t.example/feed"/></outline></body></opml>';
	expect((await extract(opml)).extraction.text).toBe("# Reads\n\n- Sea\n  - [Tides](https://t.example/feed)");
	const svg = "<svg><title>The pier</title><desc>From above</desc><style>.a{}</style><g><text>North <tspan>gate</tspan></text><path d='M0 0'/></g></svg>";
	expect((await extract(svg)).extraction.text).toBe("# The pier\n\nFrom above\n\nNorth gate");
});

test("declared encodings are read, entities of a DTD stay as they are written", async () => {
	const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><note><to>Bj\xf8rn</to><from>Ola</from></note>', "latin1");
	expect((await extract(latin)).extraction.text).toBe("to: Bjørn\nfrom: Ola");
	const bomb = await extract('<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><a><x>&c;</x><y>words</y></a>');
	expect(bomb.extraction.text).toBe("x: &c;\ny: words");
	expect(bomb.step.warnings[0]?.code).toBe("XML_BROKEN");
});

test("what is cut is read as far as it goes, nesting beyond reason is broken, no words are empty", async () => {
	const { extraction, step } = await extract("<notes><note><to>Ola</to><text>Come ho");
	expect(extraction.text).toContain("Come ho");
	expect(step.warnings.map(({ code }) => code)).toEqual(["XML_BROKEN"]);
	expect(await codeOf(extract("<a>".repeat(5_000)))).toBe("FILE_BROKEN");
	expect((await extract("no element at all")).extraction.text).toBe("no element at all");
	expect(await codeOf(extract(" "))).toBe("CONTENT_EMPTY");
});

test("a fragment with several roots is read whole", async () => {
	expect((await extract("<para>One.</para><table><row><cell><para>Two.</para></cell></row></table>")).extraction.text).toBe("One.\n\nTwo.");
});

test("pictures in letters and style sheets of an e-book are no words", async () => {
	const picture = `<binary id="a">${"iVBORw0KGgoAAAANSUhEUgAAADAAAA\n".repeat(100)}</binary>`;
	const book = `<FictionBook><stylesheet>.p{margin:0}</stylesheet><body><p>The keeper slept.</p></body>${picture}</FictionBook>`;
	expect((await extract(book)).extraction.text).toBe("The keeper slept.");
});

test("a drawing without words is empty, and its source is not read in their place", async () => {
	expect(await codeOf(extract('<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>'))).toBe("CONTENT_EMPTY");
});
