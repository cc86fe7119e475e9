import { afterEach, describe, expect, test } from "bun:test";
import { type Change, type Cursor, type Log, ServiceError } from "cairn-memory";
import notion from "../../../plugins/connectors/notion/index.ts";
import { connectorContract } from "../../contract/connector-contract.ts";
import { type Documents, kept } from "../../contract/connector-scene.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { faults } from "../../doubles/local-peer.ts";
import { block, type NotionPeer, notionId, type PeerBlock, type PeerPage, peerPage, rich, startNotionPeer } from "../../doubles/notion-peer.ts";
import { createStep } from "../../doubles/step.ts";
import { endure } from "./endure.ts";

const peers: NotionPeer[] = [];
afterEach(() => {
	for (const peer of peers.splice(0)) peer.close();
});

async function open(pages: Readonly<Record<string, PeerPage>> = {}): Promise<NotionPeer> {
	const peer = await startNotionPeer(pages);
	peers.push(peer);
	return peer;
}

const metadataFor = ({ token, origin }: NotionPeer, more: Record<string, unknown> = {}) => ({ token, endpoint: origin, ...more });
const inside = (id: string) => ({ type: "page_id", page_id: notionId(id) });

async function refusalOf(run: () => unknown): Promise<ServiceError> {
	try {
		await run();
	} catch (error) {
		if (error instanceof ServiceError) return error;
		throw error;
	}
	throw new Error("it was expected to be refused");
}

async function syncOnce(peer: NotionPeer, more: Record<string, unknown> = {}, cursor: Cursor | null = null, documentsMax = 1_000) {
	const host = createConnectorHost([peer.host]);
	const connector = await startConnector(notion(), host);
	const step = createStep();
	const changes: Change[] = [];
	for await (const change of connector.sync(connector.configure(metadataFor(peer, more), documentsMax), cursor, step)) changes.push(change);
	const puts = changes.flatMap((change) => (change.kind === "put" ? [change.item] : []));
	const removed = changes.flatMap((change) => (change.kind === "remove" ? [change.key] : []));
	return {
		...{ puts, removed, titles: puts.map(({ title }) => title).toSorted(), warnings: step.warnings.map(({ code }) => code), pauses: host.pauses },
		cursor: kept(changes.at(-1)?.cursor() ?? cursor ?? {}),
	};
}

async function textOf(blocks: readonly PeerBlock[], more: Partial<PeerPage> = {}): Promise<string> {
	const peer = await open({ a: peerPage("A", "", { blocks, ...more }) });
	const [item] = (await syncOnce(peer)).puts;
	return item?.content.kind === "text" ? item.content.text : "";
}

/** Of the first block. */
function wordsOf({ blocks: [first] }: PeerPage): string {
	const text = first?.data["rich_text"] as readonly { readonly plain_text: string }[] | undefined;
	return text?.[0]?.plain_text ?? "";
}

async function scene() {
	const peer = await startNotionPeer({
		a: peerPage("A", "words of a"),
		b: peerPage("B", "words of b"),
		c: peerPage("C", "words of c", { parent: inside("a") }),
	});
	const good = metadataFor(peer);
	return {
		start: (log: Log) => startConnector(notion(), createConnectorHost([peer.host], log)),
		metadata: good,
		nonsense: [
			{ metadata: { ...good, token: undefined }, key: "token" },
			{ metadata: { ...good, token: "has a space" }, key: "token" },
			{ metadata: { ...good, pages: "harbour" }, key: "pages" },
			{ metadata: { ...good, endpoint: "notion" }, key: "endpoint" },
		],
		refused: { ...good, token: "ntn_of-somebody-else" },
		there: () => new Map([...peer.pages].filter(([, page]) => !page.isTrashed).map(([id, page]) => [id, wordsOf(page)])),
		change: async () => {
			peer.pages.set(notionId("a"), peerPage("A", "other words", { edited: "2026-03-02T10:00:00.000Z" }));
			peer.pages.set(notionId("d"), peerPage("D", "words of d"));
			peer.pages.set(notionId("b"), peerPage("B", "words of b", { isTrashed: true }));
		},
		stall: () => {
			peer.isStalled = true;
		},
		close: async () => peer.close(),
	};
}

for (const contractTest of [...pluginContract(notion), ...connectorContract(scene)]) test(contractTest.name, contractTest.check);

describe("blocks", () => {
	test("of every kind become Markdown, those inside of blocks too", async () => {
		const cell = (text: string) => [rich(text)];
		const text = await textOf([
			block("heading_1", "Tides"),
			block("paragraph", {
				rich_text: [
					rich("High "),
					rich("water ", { bold: true }),
					rich("at"),
					rich(" six", { italic: true }),
					rich(" see", {}, "https://tides.example/a b"),
					rich("*"),
				],
			}),
			block("bulleted_list_item", "one", [block("numbered_list_item", "first", [block("paragraph", "a note")]), block("numbered_list_item", "second")]),
			block("bulleted_list_item", "two"),
			block("to_do", { rich_text: [rich("oil the winch")], checked: true }),
			block("toggle", "More", [block("paragraph", "hidden words")]),
			block("quote", "so it goes", [block("paragraph", "and on")]),
			block("code", { rich_text: [rich("a = `1`\n```")], language: "python" }),
			block("equation", { expression: "e=mc^2" }),
			block("divider", {}),
			block("table", { has_column_header: true, table_width: 2 }, [
				block("table_row", { cells: [cell("Pier"), cell("Depth")] }),
				block("table_row", { cells: [cell("two|b"), cell("4 m")] }),
			]),
			block("column_list", {}, [block("column", {}, [block("paragraph", "left")]), block("column", {}, [block("paragraph", "right")])]),
			block("bookmark", { url: "https://harbour.example/", caption: [] }),
			block("image", { type: "external", external: { url: "https://harbour.example/a.png" }, caption: [rich("The pier")] }),
			// https://developers.notion.com/reference/file-object: an address of Notion's own is good for an hour.
			block("file", {
				type: "file",
				file: { url: "https://prod-files-secure.s3.us-west-2.amazonaws.com/x?X-Amz-Signature=abc", expiry_time: "2026-03-01T11:00:00.000Z" },
				caption: [],
				name: "chart.pdf",
			}),
			block("synced_block", { synced_from: { type: "block_id", block_id: notionId("elsewhere") } }, [block("paragraph", "synced words")]),
			block("child_page", { title: "A page below" }),
			block("unsupported", {}),
			block("paragraph", "# no heading"),
			block("a_kind_of_next_year", { rich_text: [rich("still read")] }),
		]);
		expect(text).toBe(
			[
				"# A",
				"## Tides",
				"High **water** at _six_ [see](<https://tides.example/a%20b>)\\*",
				"- one\n    1. first\n\n        a note\n    2. second\n- two\n- [x] oil the winch\n- More\n\n    hidden words",
				"> so it goes\n> \n> and on",
				"````python\na = `1`\n```\n````",
				"$$\ne=mc^2\n$$",
				"---",
				"| Pier | Depth |\n| --- | --- |\n| two\\|b | 4 m |",
				"left",
				"right",
				"[https://harbour.example/](<https://harbour.example/>)",
				"[The pier](<https://harbour.example/a.png>)",
				"chart.pdf",
				"synced words",
				"A page below",
				"\\# no heading",
				"still read",
			].join("\n\n"),
		);
	});

	test("those that Notion does not hand out leave the rest of the page, and a page that it does not hand out leaves the others", async () => {
		const meeting = block("unsupported", {}, [block("paragraph", "said in the meeting")]);
		const toggle = block("toggle", "More", [block("ai_block", {})]);
		const peer = await open({ a: peerPage("A", "", { blocks: [meeting, toggle, block("paragraph", "words of a")] }) });
		for (const name of ["b", "c", "d", "e", "f", "g"]) peer.pages.set(notionId(name), peerPage(name, "", { blocks: [block("ai_block", {})] }));
		peer.pages.set(notionId("z"), peerPage("Z", "words of z"));
		const { puts, titles, warnings } = await syncOnce(peer);
		expect([titles, warnings.toSorted()]).toEqual([
			["A", "Z"],
			["NOTION_BLOCKS_LEFT_OUT", ...Array.from({ length: 6 }, () => "NOTION_PAGE_FAILED")],
		]);
		expect(puts[0]?.content).toMatchObject({ text: expect.stringContaining("words of a") });
	});

	test("hundreds come page by page, and a page without any word is there too", async () => {
		const text = await textOf(Array.from({ length: 250 }, (_, i) => block("paragraph", `words of ${i}.`)));
		expect(text.split("\n\n")).toHaveLength(251);
		expect(await textOf([], { title: "" })).toBe("Untitled");
	});
});

describe("pages", () => {
	test("come with their page, author, times and who may see them", async () => {
		const peer = await open({ a: peerPage("A", "words", { publicUrl: "https://harbour.notion.site/a" }) });
		const id = notionId("a");
		const facts = {
			page: id,
			url: `https://www.notion.so/${id.replaceAll("-", "")}`,
			createdAt: "2026-01-01T09:00:00.000Z",
			updatedAt: "2026-03-01T10:00:00.000Z",
		};
		expect((await syncOnce(peer)).puts).toMatchObject([{ key: id, title: "A", metadata: { ...facts, visibility: "public", author: "Ada" } }]);
		peer.users = null;
		expect((await syncOnce(peer)).puts[0]?.metadata).not.toHaveProperty("author");
	});

	test("rows of a database have its title and their properties", async () => {
		const [source, database] = [notionId("source"), notionId("database")];
		const peer = await open();
		peer.dataSources.set(source, { title: "Boats", database, databaseParent: { type: "workspace", workspace: true } });
		const properties = {
			Status: { type: "status", status: { name: "Afloat" } },
			"Built in": { type: "number", number: 1928 },
			Tags: { type: "multi_select", multi_select: [{ name: "wood" }, { name: "sail" }] },
			Surveyed: { type: "date", date: { start: "2026-01-01", end: "2026-01-03" } },
			Sold: { type: "checkbox", checkbox: false },
			Owner: { type: "people", people: [{ object: "user", id: "x", name: "Bo" }] },
			Id: { type: "unique_id", unique_id: { prefix: "BOAT", number: 7 } },
			Total: {
				type: "rollup",
				rollup: {
					type: "array",
					array: [
						{ type: "number", number: 3 },
						{ type: "rich_text", rich_text: [rich("x")] },
					],
				},
			},
			Sum: { type: "formula", formula: { type: "string", string: "ok" } },
			Empty: { type: "select", select: null },
			Odd: { type: "next_year", next_year: {} },
		};
		// A row that search leaves out is found by the query of its database.
		const parent = { type: "data_source_id", data_source_id: source, database_id: database };
		peer.pages.set(notionId("row"), peerPage("Marigold", "A ketch.", { parent, properties, isUnindexed: true }));
		const { puts } = await syncOnce(peer);
		expect(puts[0]?.metadata).toMatchObject({
			database: "Boats",
			Status: "Afloat",
			Built_in: 1928,
			Tags: ["wood", "sail"],
			Surveyed: "2026-01-01 – 2026-01-03",
			Sold: false,
			Owner: ["Bo"],
			Id: "BOAT-7",
			Total: ["3", "x"],
			Sum: "ok",
		});
		expect(puts[0]?.content).toMatchObject({ text: expect.stringContaining("# Marigold\n\n- Status: Afloat\n- Built in: 1928\n- Tags: wood, sail\n") });
		expect((await syncOnce(peer, { pages: database })).titles).toEqual(["Marigold"]);
		expect((await syncOnce(peer, { pages: notionId("elsewhere") })).titles).toEqual([]);
	});

	test("the last page that goes to the bin is removed: it says so itself", async () => {
		const peer = await open({ a: peerPage("A", "words") });
		const first = await syncOnce(peer);
		Object.assign(peer.pages.get(notionId("a")) ?? {}, { isTrashed: true });
		expect((await syncOnce(peer, {}, first.cursor)).removed).toEqual([notionId("a")]);
	});

	test("those in the trash and those that are not shared any more are removed, those that search forgets stay", async () => {
		const peer = await open({ a: peerPage("A", "a"), b: peerPage("B", "b"), c: peerPage("C", "c"), d: peerPage("D", "d") });
		const first = await syncOnce(peer);
		Object.assign(peer.pages.get(notionId("a")) ?? {}, { isTrashed: true });
		peer.pages.delete(notionId("b"));
		Object.assign(peer.pages.get(notionId("c")) ?? {}, { isUnindexed: true });
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.removed.toSorted(), second.titles]).toEqual([[notionId("a"), notionId("b")].toSorted(), []]);
	});

	test("one that was edited in the minute in which it was read is read once more", async () => {
		const peer = await open({ a: peerPage("A", "a", { edited: new Date().toISOString() }) });
		const first = await syncOnce(peer);
		Object.assign(peer.pages.get(notionId("a")) ?? {}, { edited: "2026-03-01T10:00:00.000Z" });
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.titles, (await syncOnce(peer, {}, second.cursor)).titles]).toEqual([["A"], []]);
	});

	test("a new page never drives out an old one", async () => {
		const peer = await open({ m: peerPage("M", "m"), n: peerPage("N", "n") });
		const first = await syncOnce(peer, {}, null, 2);
		const before = [...peer.pages];
		peer.pages.clear();
		for (const [id, page] of [[notionId("a"), peerPage("A", "a")] as const, ...before]) peer.pages.set(id, page);
		expect((await syncOnce(peer, {}, first.cursor, 2)).titles).toEqual([]);
		peer.pages.delete(notionId("n"));
		const third = await syncOnce(peer, {}, first.cursor, 2);
		expect([third.removed, third.titles]).toEqual([[notionId("n")], ["A"]]);
	});
});

describe("what is chosen", () => {
	test("are pages with all that is in them, in blocks too, by ids or addresses", async () => {
		const column = block("column", {});
		const peer = await open({
			a: peerPage("A", "", { blocks: [block("column_list", {}, [column])] }),
			b: peerPage("B", "b", { parent: { type: "block_id", block_id: column.id } }),
			c: peerPage("C", "c", { parent: inside("b") }),
			d: peerPage("D", "d"),
		});
		const connector = await startConnector(notion(), createConnectorHost([peer.host]));
		const config = connector.configure(metadataFor(peer), 10);
		const listed = await connector.resources?.list(config, { page: 1, perPage: 2, parent: null }, createStep());
		expect(listed?.resources).toMatchObject([{ id: notionId("a"), object: "page", title: "A" }, { title: "B" }]);
		expect((await connector.resources?.list(config, { page: 2, perPage: 3, parent: null }, createStep()))?.resources).toMatchObject([{ title: "D" }]);
		expect(connector.resources?.choose(config, listed?.resources.slice(0, 1) ?? [])).toMatchObject({ pages: [notionId("a")], token: peer.token });
		expect((await refusalOf(() => connector.resources?.choose(config, [{ id: 7 }]))).message).toContain("pages");
		expect((await syncOnce(peer, { pages: notionId("a") })).titles).toEqual(["A", "B", "C"]);
		const address = `https://www.notion.so/harbour/B-page-${notionId("b").replaceAll("-", "")}?pvs=4`;
		expect((await syncOnce(peer, { pages: `${address}, ${notionId("d").toUpperCase()}` })).titles).toEqual(["B", "C", "D"]);
	});
});

describe("what is chosen and search leaves out", () => {
	const [source, database] = [notionId("source"), notionId("database")];
	const row = (parent: object) => peerPage("Marigold", "A ketch.", { parent: { type: "data_source_id", data_source_id: source, ...parent } });
	const openRow = async (parent: object = { database_id: database }) => {
		const peer = await open({ a: peerPage("A", "a"), row: row(parent), other: peerPage("Other", "other") });
		peer.dataSources.set(source, { title: "Boats", database, databaseParent: inside("a") });
		return peer;
	};
	/** Neither the row nor its data source, nor the page that the database is in. */
	const forget = (peer: NotionPeer) => {
		for (const name of ["a", "row"]) Object.assign(peer.pages.get(notionId(name)) ?? {}, { isUnindexed: true });
		Object.assign(peer.dataSources.get(source) ?? {}, { isUnindexed: true });
	};

	test.each([
		["of a chosen database", { database_id: database }, database],
		["of a database in a chosen page", { database_id: database }, notionId("a")],
		["that names its data source alone", {}, database],
	])("a row %s stays", async (_name, parent, pages) => {
		const peer = await openRow(parent);
		const first = await syncOnce(peer, { pages });
		expect(first.titles).toContain("Marigold");
		forget(peer);
		expect((await syncOnce(peer, { pages }, first.cursor)).removed).toEqual([]);
	});

	test("a row that is somewhere else goes, and so does what another choice leaves out, where something above is not shared as well", async () => {
		const peer = await openRow();
		peer.pages.set(notionId("b"), peerPage("B", "b", { parent: inside("a page that is not shared") }));
		const all = await syncOnce(peer);
		const chosen = await syncOnce(peer, { pages: database }, all.cursor);
		expect([all.titles, chosen.removed.toSorted()]).toEqual([["A", "B", "Marigold", "Other"], ["a", "b", "other"].map(notionId).toSorted()]);
		forget(peer);
		Object.assign(peer.pages.get(notionId("row")) ?? {}, { parent: inside("other") });
		expect((await syncOnce(peer, { pages: database }, chosen.cursor)).removed).toEqual([notionId("row")]);
	});

	test.each([
		["names its database", { database_id: database }],
		["names its data source alone", {}],
	])("a row that %s and came back before its listing goes on stays", async (_name, parent) => {
		const peer = await openRow(parent);
		const first = await syncOnce(peer, { pages: database });
		forget(peer);
		const page = peer.pages.get(notionId("row"));
		peer.pages.set(notionId("row"), { ...row({}), isUnindexed: true, parent: inside("a") });
		peer.trouble = ({ path }) => (path.includes("/blocks/") ? { status: 429, headers: { "retry-after": "900" } } : null);
		const connector = await startConnector(notion(), createConnectorHost([peer.host]));
		let { cursor } = first;
		const cutOff = async () => {
			const config = connector.configure(metadataFor(peer, { pages: database }), 1_000);
			for await (const change of connector.sync(config, first.cursor, createStep())) cursor = kept(change.cursor());
		};
		expect([(await refusalOf(cutOff)).code, cursor["listing"] !== undefined]).toEqual(["ADDRESS_FAILED", true]);
		peer.trouble = null;
		if (page !== undefined) peer.pages.set(notionId("row"), page);
		expect((await syncOnce(peer, { pages: database }, cursor)).removed).toEqual([]);
	});
});

describe("what Notion refuses", () => {
	test("a database of which a query tells only a part is told of", async () => {
		const peer = await open();
		peer.dataSources.set(notionId("boats"), {
			title: "Boats",
			database: notionId("database of boats"),
			databaseParent: { type: "workspace", workspace: true },
		});
		for (let i = 0; i < 3; i++)
			peer.pages.set(
				notionId(`boat ${i}`),
				peerPage(`Boat ${i}`, "words", { parent: { type: "data_source_id", data_source_id: notionId("boats") }, isUnindexed: true }),
			);
		peer.rowsMax = 2;
		const { titles, warnings } = await syncOnce(peer);
		expect([titles, warnings]).toEqual([["Boat 0", "Boat 1"], ["NOTION_TOO_MANY_PAGES"]]);
	});

	test("a wrong token and a server that is no Notion are told when the connection is made", async () => {
		const peer = await open();
		const connector = await startConnector(notion(), createConnectorHost([peer.host]));
		const checked = (more: Record<string, unknown>) => refusalOf(() => connector.check?.(connector.configure(metadataFor(peer, more), 10), createStep()));
		expect(await checked({ token: "ntn_of-somebody-else" })).toMatchObject({ code: "CONNECTION_UNAUTHORIZED" });
		peer.trouble = () => ({ status: 404 });
		expect(await checked({})).toMatchObject({ code: "CONNECTION_INVALID" });
		peer.trouble = () => ({ status: 302, headers: { location: "http://elsewhere.example/v1/users/me" } });
		expect(await checked({})).toMatchObject({ code: "CONNECTION_INVALID" });
		peer.trouble = null;
		await connector.check?.(connector.configure(metadataFor(peer), 10), createStep());
	});

	test("three requests a second are asked, and a pause that it asks for is kept", async () => {
		const peer = await open({ a: peerPage("A", "a"), b: peerPage("B", "b") });
		const { pauses } = await syncOnce(peer);
		expect(peer.asked.length - pauses.length).toBe(1);
		expect(pauses.every((ms) => ms <= 334)).toBe(true);
		let refused = 0;
		peer.trouble = ({ path }) => (path.includes("/children") && refused++ === 0 ? { status: 429, headers: { "retry-after": "7" } } : null);
		const second = await syncOnce(peer);
		expect([second.titles, second.pauses.includes(7_000)]).toEqual([["A", "B"], true]);
		peer.trouble = ({ path }) => (path.includes("/children") ? { status: 429, headers: { "retry-after": "900" } } : null);
		expect(await refusalOf(() => syncOnce(peer))).toMatchObject({ code: "ADDRESS_FAILED", retryAfterMs: 900_000 });
	});

	test("a list that goes on and does not say where is not one that has ended", async () => {
		const peer = await open({ a: peerPage("A", "a") });
		const first = await syncOnce(peer);
		// The API's types allow it: https://developers.notion.com/reference/intro#pagination
		const body = JSON.stringify({ object: "list", results: [], has_more: true, next_cursor: null });
		const withoutCursor = (part: string) => {
			peer.trouble = ({ path }) => (path.includes(part) ? { status: 200, body } : null);
		};
		withoutCursor("/search");
		expect(await refusalOf(() => syncOnce(peer, {}, first.cursor))).toMatchObject({ code: "ADDRESS_CHANGED" });
		withoutCursor("/children");
		const { titles, warnings } = await syncOnce(peer);
		expect([titles, warnings]).toEqual([[], ["NOTION_PAGE_FAILED"]]);
	});

	test("an answer in another shape is told as such", async () => {
		const peer = await open();
		peer.trouble = () => ({ status: 200, body: '{"results": 7}' });
		expect(await refusalOf(() => syncOnce(peer))).toMatchObject({ code: "ADDRESS_CHANGED" });
	});
});

test("hundreds of pages through faults and kills come as they are, and so do changes, moves and removals", async () => {
	const count = 250;
	const peer = await open(Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}`, peerPage(`Page ${i}`, `words of ${i}.`)])));
	peer.trouble = faults((path) => path.includes(notionId("77")));
	const enduring = { start: () => startConnector(notion(), createConnectorHost([peer.host])), metadata: metadataFor(peer), kills: 6 };
	const documents: Documents = new Map();
	const there = () =>
		[...peer.pages].filter(([id]) => id !== notionId("77")).map(([id, page]) => [id, `# ${page.title}\n\n${wordsOf(page)}`] as [string, string]);
	const first = await endure(enduring, documents, null);
	expect([...documents].toSorted()).toEqual(there().toSorted());
	expect(first.attempts).toBeGreaterThan(enduring.kills + 1);
	expect(first.puts.length - count).toBeLessThan(first.attempts * 11);

	const edited = "2026-03-02T10:00:00.000Z";
	peer.pages.set(notionId("1"), peerPage("Page 1", "changed words", { edited }));
	peer.pages.set(notionId("3"), peerPage("Renamed", "words of 3.", { edited, parent: inside("4") }));
	peer.pages.set(notionId("new"), peerPage("New", "words of the new one"));
	peer.pages.delete(notionId("2"));
	const second = await endure({ ...enduring, kills: 1 }, documents, first.cursor);
	expect([...documents].toSorted()).toEqual(there().toSorted());
	expect([[...new Set(second.puts)].toSorted(), [...new Set(second.removed)]]).toEqual([
		[notionId("1"), notionId("3"), notionId("new")].toSorted(),
		[notionId("2")],
	]);
});
