/** The HTML extractor: boilerplate, structure, links, encodings, the contract tests. */

import { describe, expect, test } from "bun:test";
import htmlPlugin from "../../../plugins/extractors/html/index.ts";
import { fixture } from "../../doubles/fixture.ts";
import { codeOf, extractorNamed, keeper, read, sample, testContract } from "./samples.ts";

const start = () => extractorNamed(htmlPlugin(), "html");
const said = [
	"The keeper of storms",
	...keeper.slice(0, 2),
	"After the fire",
	keeper[2] ?? "",
	"Read the report twelve drawings one notebook blue Storms by year Year Storms Storms 1901 spring 4 1901 autumn 9 grep storm notebook txt",
];

describe("laws", () => {
	testContract(start, [sample("article.html", "text/html", said, ["The keeper of storms", "After the fire"])]);
});

async function extract(html: string | Uint8Array, address: string | null = null) {
	return (await read(await start(), html, "text/html", { address: address === null ? null : new URL(address) })).extraction;
}

test("menus, banners, scripts and what is hidden are left out", async () => {
	const { text, title, description, language, type } = await extract(fixture("article.html"));
	for (const furniture of ["Courier", "Sport", "Subscribe", "track", "Imprint", "Nobody sees", "navy"]) expect(text).not.toContain(furniture);
	expect({ title, description, language, type }).toEqual({
		title: "The keeper of storms",
		description: "A keeper and his notebook",
		language: "en",
		type: "webpage",
	});
});

test("merged cells are repeated wherever they reach", async () => {
	const { blocks } = await extract(fixture("article.html"));
	const rows = blocks.filter((block) => block.kind === "row");
	expect(rows.map((row) => row.cells)).toEqual([
		["1901", "spring", "4"],
		["1901", "autumn", "9"],
	]);
	expect(rows[0]).toMatchObject({ header: ["Year", "Storms", "Storms"], headings: ["The keeper of storms", "After the fire"] });
	expect(blocks.find((block) => block.kind === "caption")?.text).toBe("Storms by year");
	expect(blocks.find((block) => block.kind === "code")).toMatchObject({ language: "sh", text: "grep storm notebook.txt" });
});

test("links are made absolute for reading, and dangerous ones go", async () => {
	const { text, blocks } = await extract(
		'<p>See <a href="../a b">this</a>, <a href="javascript:alert(1)">that</a> <b> now</b></p>',
		"https://example.org/x/y.html",
	);
	expect(blocks[0]?.text).toBe("See this, that now");
	expect(text).toBe("See [this](https://example.org/a%20b), that **now**");
});

test("a page that is all furniture is read whole, and text outside any element is found", async () => {
	expect((await extract("<nav>Only a menu</nav>")).text).toBe("Only a menu");
	expect((await extract("loose <em>words</em><div>and more</div>tail")).blocks.map((block) => block.text)).toEqual(["loose words", "and more", "tail"]);
});

test("a heading in the banner belongs to the content", async () => {
	const { blocks } = await extract(`<header>Logo<h1>Big news</h1></header><main><p>${keeper.join(" ")}</p></main>`);
	expect(blocks[0]).toMatchObject({ kind: "heading", text: "Big news" });
	expect(blocks).toHaveLength(2);
});

test("list items nest, count and keep what follows them", async () => {
	const { blocks, text } = await extract("<ol start=3><li><p>three</p><p>more</p></li><li>four<ul><li>inner</li></ul></li></ol>");
	expect(blocks.map((block) => [block.kind, block.text])).toEqual([
		["list-item", "three"],
		["paragraph", "more"],
		["list-item", "four"],
		["list-item", "inner"],
	]);
	expect(text).toContain("4. four\n  - inner");
});

test("a table without header cells has a header only where numbers show it; layout tables are flow", async () => {
	const [named] = (await extract("<table><tr><td>Ship<td>Tons<tr><td>Anna<td>12</table>")).blocks;
	expect(named?.text).toBe("Ship: Anna; Tons: 12");
	const pairs = (await extract("<table><tr><td>Captain<td>Ann<tr><td>Port<td>Oslo</table>")).blocks;
	expect(pairs.map((block) => block.text)).toEqual(["Captain; Ann", "Port; Oslo"]);
	expect((await extract("<table><tr><td><h2>Top</h2><p>text</p></td></tr></table>")).blocks.map((block) => block.kind)).toEqual(["heading", "paragraph"]);
});

test("the charset a page declares is believed", async () => {
	const { text, title } = await extract(fixture("plain.windows-1251.html"));
	expect(text).toBe("Смотритель маяка\n\nТетрадь была синей.");
	expect(title).toBe("Маяк");
});

test("no words are empty, nesting beyond reason is broken, a span of a billion columns is cut", async () => {
	const extractor = await start();
	expect(await codeOf(read(extractor, "<script>1</script>", "text/html"))).toBe("CONTENT_EMPTY");
	expect(await codeOf(read(extractor, `${"<div>".repeat(60_000)}deep`, "text/html"))).toBe("FILE_BROKEN");
	const { blocks } = await extract("<table><tr><td colspan=1000000000>a<td>b<tr><td>c<td>d</table>");
	expect(blocks[0]?.kind === "row" && blocks[0].cells.length).toBeLessThanOrEqual(1_000);
});

test.each([
	["small digits", "10<sup>6</sup> H<sub>2</sub>O x<sup>n-1</sup> 4<sup>th</sup><sup>[3]</sup>", "10⁶ H₂O xⁿ⁻¹ 4th[3]"],
	["a note", 'said<sup><a href="#n1">1</a></sup>', "said¹"],
	["readings of a word", "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</rt></ruby>だ", "漢字(kanji)だ"],
	["what is quoted", "she <q>said <b>no</b></q>", 'she "said **no**"'],
	["places where a word may be cut", "pass&shy;age", "passage"],
	["emphasis in pieces", "<b>V</b><strong>oda<em>f</em><i>one</i></strong> <b>x</b>", "**Voda*fone*** **x**"],
	["marks in code", '<code><a href="https://x.example">A</a><b>B</b>\\(c\\)</code>', "`AB\\(c\\)`"],
	["LaTeX between its delimiters", "so \\(\\pi r^2\\) and \\[a_1\\]", "so $\\pi r^2$ and $$a_1$$"],
	["a sign that links to itself", 'Tea <a class="headerlink" href="#tea">¶</a>', "Tea"],
])("%s", async (_, html, said) => expect((await extract(`<p>${html}</p>`)).text).toBe(said));

test("LaTeX between its delimiters is found by its signs", async () => {
	expect((await extract("<p>so \\(\\pi r^2\\) is</p>")).blocks[0]?.text).toBe("so πr^2 is");
});

test("lists count as the page says", async () => {
	const items = (...words: string[]) => words.map((word) => `<li>${word}</li>`).join("");
	const { text } = await extract(
		`<ol type="a" start="3">${items("x")}<li value="7">y</li>${items("z")}</ol><p>-</p><ol reversed>${items("b", "a")}</ol><p>-</p><ol style="list-style-type: upper-roman">${items("m", "n")}</ol>`,
	);
	expect(text).toBe("c. x\ng. y\nh. z\n\n-\n\n2. b\n1. a\n\n-\n\nI. m\nII. n");
});

test("a small table in a cell of a table with names stands in its cell, a large one is a part of the page", async () => {
	const page = (words: string) =>
		`<table><tr><th>A</th><th>B</th></tr><tr><td><table><tr><td>a</td><td>b</td></tr><tr><td>${words}</td></tr></table></td><td>2</td></tr></table>`;
	expect((await extract(page("c"))).text).toBe("| A | B |\n| --- | --- |\n| a b c | 2 |");
	expect((await extract(page("long ".repeat(200)))).text).toStartWith("A\n\nB\n\n|  |  |\n| --- | --- |\n| a | b |");
});

test("what a browser shows is read, wherever its elements keep it", async () => {
	const texts = async (html: string) => (await extract(`<p>Begin.</p>${html}<p>End.</p>`)).blocks.map(({ text }) => text).slice(1, -1);
	expect(await texts('<iframe srcdoc="&lt;p&gt;In a frame&lt;/p&gt;"></iframe>')).toEqual(["In a frame"]);
	expect(await texts('<x-card><template shadowrootmode="open"><p>In the shadow</p></template><p>In the light</p></x-card>')).toEqual([
		"In the shadow",
		"In the light",
	]);
	expect(await texts("<template><p>Nowhere</p></template>")).toEqual([]);
	expect(await texts("<svg><title>Icon</title><text>Harbour</text><text>Sea</text></svg>")).toEqual(["Harbour Sea"]);
	expect(await texts("<label>Wind <select><option>north</option><option selected>south</option></select></label>")).toEqual(["Wind south"]);
	expect(await texts("<textarea>Calm at noon</textarea>")).toEqual(["Calm at noon"]);
	expect(await texts("<blockquote>Ships pass.<footer>The keeper</footer></blockquote>")).toEqual(["Ships pass.", "The keeper"]);
	expect((await extract("<frameset cols=1><frame src=a><noframes><p>For old browsers</p></noframes></frameset>")).text).toBe("For old browsers");
});

test("roles make tables, lists and headings of elements that mean nothing", async () => {
	const row = (role: string, ...cells: readonly string[]) => `<div role="row">${cells.map((cell) => `<span role="${role}">${cell}</span>`).join("")}</div>`;
	const { blocks } = await extract(
		`<div role="heading" aria-level="3">Crew</div><div role="table"><div role="rowgroup">${row("columnheader", "Name", "Age")}</div>${row("cell", "Ida", "31")}</div>` +
			'<div role="list"><div role="listitem">one</div></div>',
	);
	expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
		["heading", "Crew"],
		["row", "Name: Ida; Age: 31"],
		["list-item", "one"],
	]);
	const loose = await extract(`<div role="grid">${row("gridcell", "a", "b")}<p>A remark</p></div>`);
	expect(loose.text).toContain("A remark");
	expect(loose.text).toMatch(/a\s+b/);
});

test("numbers of a list in a cell are written, and a small table in an even one stands in its cell", async () => {
	const { blocks } = await extract("<table><tr><th>Step<th>Tasks<tr><td>1<td><ol start=3><li>cook</li><li>wash</li></ol></table>");
	expect(blocks.map(({ text }) => text)).toEqual(["Step: 1; Tasks: 3. cook\n4. wash"]);
	const nested = await extract("<table><tr><td>A<td>B<tr><td><table><tr><td>x<td>y</table><td>C</table>");
	expect(nested.blocks.map((block) => (block.kind === "row" ? block.cells.map((cell) => cell.replaceAll("\n", " ").replace(/ +/g, " ")) : []))).toEqual([
		["A", "B"],
		["x y", "C"],
	]);
});

test("the shell of a page that a program writes says what it has for those without scripts", async () => {
	const story = keeper.join(" ").repeat(2);
	expect((await extract(`<div id=root>Loading</div><noscript><p>${story}</p></noscript>`)).text).toContain(keeper[3] ?? "");
	expect((await extract("<p>Few words.</p><noscript>Enable scripts.</noscript>")).text).toBe("Few words.");
	const linked = JSON.stringify({ "@type": "NewsArticle", articleBody: `${story}\n\nThe end.` });
	const { blocks } = await extract(`<script type="application/ld+json">${linked}</script><div id=root>Loading</div>`);
	expect(blocks.map(({ text }) => text)).toEqual(["Loading", story, "The end."]);
});

test("a lone article that is but a part of its page does not hide the rest", async () => {
	const teaser = `<article><p>${keeper.join(" ").repeat(5)}</p></article>`;
	const rest = Array.from({ length: 12 }, (_, at) => `<p>Comment ${at}: ${keeper.join(" ")}</p>`).join("");
	expect((await extract(teaser + rest)).text).toContain("Comment 11");
});

test("the banner's heading brings what is said below it, and no menu", async () => {
	const story = keeper.join(" ").repeat(6);
	const page = `<header><div><h1>Fish soup</h1><p>For cold days, by Ida.</p></div><nav><p>Menu</p></nav></header><main><p>${story}</p></main>`;
	expect((await extract(page)).blocks.map(({ text }) => text)).toEqual(["Fish soup", "For cold days, by Ida.", story.replace(/\s+/g, " ")]);
});

test("a tab that is covered is read, the foot of a table comes last, and numbers of lines are no program", async () => {
	const { blocks } = await extract(
		"<p>Rope</p><div role=tabpanel hidden><p>Great rope</p></div><p hidden>Never</p>" +
			"<table><thead><tr><th>A<th>B<tfoot><tr><td>sum<td>3<tbody><tr><td>x<td>3</table>" +
			"<table><tr><td><pre>1\n2</pre><td><pre>a = 1\nb = 2</pre></table>",
	);
	expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
		["paragraph", "Rope"],
		["paragraph", "Great rope"],
		["row", "A: x; B: 3"],
		["row", "A: sum; B: 3"],
		["code", "a = 1\nb = 2"],
	]);
});

const furnished = (head: string) => `<html><head>${head}<title>Storms</title></head><body>
	<div class="top"><a href="/a">News</a> <a href="/b">Weather and climate</a> <a href="/c">Culture</a></div>
	<div class="story"><h1>The keeper of storms</h1><img src="k.jpg" alt="The keeper of storms">
		${keeper.map((text) => `<p @click="more()" "odd" hidden=until-found>${text} ${text}</p>`).join("")}
		<ul><li>Forty years of weather are in the <a href="/log">log</a> of the keeper.</li><li>The drawings hang in the town hall now.</li></ul><p>${keeper[0]} ${keeper[1]}</p>
		<table><tr><th>Year</th><th>Place</th></tr><tr><td><a href="/1901">1901</a></td><td><a href="/cape">Cape</a></td></tr></table>
		<h3>More on this</h3><div><a href="/x">Ten harbours to see before winter comes</a></div>
		<div class="share-buttons">Send it to a friend</div></div>
	<div id="relatedStories"><p>Lighthouses are being sold all along the coast, and nobody knows what will become of the lamps in them.</p></div>
</body></html>`;

test("what surrounds an article is left out of a page that says that it is one", async () => {
	const { text, title } = await extract(furnished('<meta property="og:type" content="article">'));
	for (const kept of [...keeper, "Forty years", "1901", "Cape"]) expect(text).toContain(kept);
	for (const furniture of ["Weather", "More on this", "Ten harbours", "friend", "being sold"]) expect(text).not.toContain(furniture);
	expect({ title, times: text.split("The keeper of storms").length - 1 }).toEqual({ title: "The keeper of storms", times: 1 });
});

test("pictures of an article that are described alike all stay, since they may be signs within its text", async () => {
	const cell = '<td><img src="yes.svg" alt="Yes"></td>';
	const page = furnished('<meta property="og:type" content="article">').replace("<tr><th>Year", `<tr>${cell}${cell}</tr><tr>${cell}${cell}</tr><tr><th>Year`);
	const { text } = await extract(page);
	expect(text.match(/Yes/g)?.length).toBe(4);
});

test("a page that does not say so keeps all of it", async () => {
	const { text } = await extract(furnished('<script type="application/ld+json">{"@type": "Article", "name": "Storms"}</script>'));
	for (const kept of [...keeper, "Weather", "Ten harbours", "friend", "being sold"]) expect(text).toContain(kept);
});

test("an article in linked data or in microdata is one", async () => {
	const data = await extract(furnished('<script type="application/ld+json">{"@type": "NewsArticle", "name": "Storms"}</script>'));
	const micro = await extract(furnished("").replace("<body>", '<body itemscope itemtype="https://schema.org/BlogPosting">'));
	for (const { text } of [data, micro]) expect(text).not.toContain("being sold");
});

test("a page of comments and short texts that calls itself an article keeps them", async () => {
	const events = Array.from({ length: 30 }, (_, minute) => `<div class="comments">${minute}' a corner for the harbour</div>`).join("");
	const { text } = await extract(`<meta property="og:type" content="article"><h1>The match</h1><div><p>${keeper.join(" ")}</p></div>${events}`);
	expect(text).toContain("29' a corner");
});
