import { afterEach, describe, expect, test } from "bun:test";
import { type Change, type Cursor, type Log, limits, ServiceError } from "cairn-memory";
import { configure } from "../../../plugins/connectors/webdav/config.ts";
import { openDav } from "../../../plugins/connectors/webdav/dav.ts";
import webdav from "../../../plugins/connectors/webdav/index.ts";
import { presence } from "../../../plugins/connectors/webdav/survey.ts";
import { connectorContract } from "../../contract/connector-contract.ts";
import { type Documents, kept } from "../../contract/connector-scene.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { faults } from "../../doubles/local-peer.ts";
import { createStep } from "../../doubles/step.ts";
import { startWebdavPeer, type WebdavPeer } from "../../doubles/webdav-peer.ts";
import { endure } from "./endure.ts";

const peers: WebdavPeer[] = [];
afterEach(() => {
	for (const peer of peers.splice(0)) peer.close();
});

async function open(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<WebdavPeer> {
	const peer = await startWebdavPeer(files);
	peers.push(peer);
	return peer;
}

const metadataFor = ({ url, username, password }: WebdavPeer, more: Record<string, unknown> = {}) => ({ url, username, password, ...more });

async function refusalOf(run: () => unknown): Promise<ServiceError> {
	try {
		await run();
	} catch (error) {
		if (error instanceof ServiceError) return error;
		throw error;
	}
	throw new Error("it was expected to be refused");
}

async function syncOnce(peer: WebdavPeer, more: Record<string, unknown> = {}, cursor: Cursor | null = null, documentsMax = 1_000) {
	const connector = await startConnector(webdav(), createConnectorHost([peer.host]));
	const step = createStep();
	const changes: Change[] = [];
	for await (const change of connector.sync(connector.configure(metadataFor(peer, more), documentsMax), cursor, step)) changes.push(change);
	const puts = changes.flatMap((change) => (change.kind === "put" ? [change.item] : []));
	const removed = changes.flatMap((change) => (change.kind === "remove" ? [change.key] : []));
	return {
		puts,
		removed,
		keys: puts.map(({ key }) => key).toSorted(),
		warnings: step.warnings.map(({ code }) => code),
		cursor: kept(changes.at(-1)?.cursor() ?? {}),
	};
}

async function scene() {
	const peer = await startWebdavPeer({ "a.md": "words of a", "deep/b.txt": "words of b", "deep/er/c d.txt": "words of c" });
	const good = metadataFor(peer);
	return {
		start: (log: Log) => startConnector(webdav(), createConnectorHost([peer.host], log)),
		metadata: good,
		nonsense: [
			{ metadata: { ...good, url: undefined }, key: "url" },
			{ metadata: { ...good, url: "cloud" }, key: "url" },
			{ metadata: { ...good, url: "https://ada:app-pass-of-the-peer@cloud.example/dav" }, key: "url" },
			{ metadata: { ...good, username: "ada:bo" }, key: "username" },
			{ metadata: { ...good, password: "short" }, key: "password" },
			{ metadata: { ...good, exclude: "drafts" }, key: "exclude" },
		],
		refused: { ...good, password: "password-of-another" },
		there: () => new Map([...peer.files].map(([path, text]) => [path, String(text)])),
		change: async () => {
			peer.files.set("a.md", "other words");
			peer.files.delete("deep/b.txt");
			peer.files.set("new/e.md", "words of the new one");
		},
		stall: () => {
			peer.isStalled = true;
		},
		close: async () => peer.close(),
	};
}

for (const contractTest of [...pluginContract(webdav), ...connectorContract(scene)]) test(contractTest.name, contractTest.check);

describe("files", () => {
	const odd = { "day one.md": "1", "50% & more?.md": "2", "Bär/naïve#1.md": "3", "wow!.md": "4", "a+b.md": "5" };
	test.each(["d", "lp", "default"] as const)("names of any kind are read from an answer in the style %s", async (style) => {
		const peer = await open(odd);
		peer.style = style;
		const { puts } = await syncOnce(peer);
		const texts = puts.map(({ key, content }) => [key, content.kind === "file" ? new TextDecoder().decode(content.bytes) : ""]);
		expect(texts.toSorted()).toEqual(Object.entries(odd).toSorted());
	});

	test("a server that believes to be another host is asked at its own", async () => {
		const [peer, other] = [await open({ "deep/a.md": "a" }), await open({ "deep/a.md": "words of another host" })];
		peer.hrefOrigin = other.origin;
		const { puts } = await syncOnce(peer);
		expect(puts.map(({ metadata }) => metadata["url"])).toEqual([`${peer.url}deep/a.md`]);
		expect(other.asked).toEqual([]);
	});

	test("a file comes with its path, page, owner and time; hidden, empty and too large ones never", async () => {
		const peer = await open({ "b/a.md": "# A", ".hidden/x.md": "x", "b/.x": "x", "empty.md": "", "large.md": new Uint8Array(limits.fileBytesMax + 1) });
		const { puts, warnings } = await syncOnce(peer);
		const facts = { path: "b/a.md", url: `${peer.url}b/a.md`, modifiedAt: "2026-03-01T10:00:00.000Z", author: "Ada & Bo" };
		expect([puts.map(({ metadata }) => metadata), warnings]).toEqual([[facts], ["WEBDAV_FILES_SKIPPED"]]);
		expect((await syncOnce(peer, { exclude: "/b/**" })).keys).toEqual([]);
	});

	test("without ETags the time and the size count", async () => {
		const peer = await open({ "a.md": "words" });
		peer.hasEtags = false;
		const first = await syncOnce(peer);
		expect((await syncOnce(peer, {}, first.cursor)).keys).toEqual([]);
		peer.files.set("a.md", "more words");
		expect((await syncOnce(peer, {}, first.cursor)).keys).toEqual(["a.md"]);
	});

	test("a new file never drives out an old one", async () => {
		const peer = await open({ "m.md": "m", "n.md": "n" });
		const first = await syncOnce(peer, {}, null, 2);
		peer.files.set("a.md", "a");
		expect((await syncOnce(peer, {}, first.cursor, 2)).keys).toEqual([]);
		peer.files.delete("n.md");
		const third = await syncOnce(peer, {}, first.cursor, 2);
		expect([third.removed, third.keys]).toEqual([["n.md"], ["a.md"]]);
	});

	test("where no file is there at all, as while a storage is not mounted, everything stays, and is followed again when there is one", async () => {
		const peer = await open({ "deep/a.md": "a", "b.md": "b" });
		const first = await syncOnce(peer);
		const files = new Map(peer.files);
		peer.files.clear();
		expect(await refusalOf(() => syncOnce(peer, {}, first.cursor))).toMatchObject({ code: "CONNECTION_SOURCE_MISSING" });
		for (const [path, text] of files) if (path !== "b.md") peer.files.set(path, text);
		expect((await syncOnce(peer, {}, first.cursor)).removed).toEqual(["b.md"]);
		// Patterns that leave everything out are meant so.
		expect((await syncOnce(peer, { exclude: "/**" }, first.cursor)).removed.toSorted()).toEqual(["b.md", "deep/a.md"]);
	});

	test("a folder that may not be listed keeps its documents, and the others go on", async () => {
		const peer = await open({ "deep/a.md": "a", "b.md": "b" });
		const first = await syncOnce(peer);
		peer.forbidden.add("deep/");
		peer.files.delete("b.md");
		peer.files.set("c.md", "c");
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.keys, second.removed, second.warnings]).toEqual([["c.md"], ["b.md"], ["WEBDAV_FOLDER_FAILED"]]);
	});

	test("a folder that may not be listed does not make an empty list beside it one to be believed", async () => {
		const peer = await open({ "nas/a.md": "a", "locked/b.md": "b" });
		const first = await syncOnce(peer);
		peer.forbidden.add("locked/");
		peer.files.delete("nas/a.md");
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.removed, second.warnings]).toEqual([[], ["WEBDAV_FOLDER_FAILED"]]);
	});

	test.each([
		["403 Forbidden", "response"],
		["500 Internal Server Error", "response"],
		["503 Service Unavailable", "propstat"],
		["403 Forbidden", "propstat"],
		["404 Not Found", "propstat"],
	] as const)("what a list names with %s, of a %s, keeps its documents, a file or a folder", async (status, of) => {
		const peer = await open({ "a.md": "a", "a.md.old": "b", "deep/er/c.md": "c", "deep.md": "d", "e.md": "e" });
		const first = await syncOnce(peer);
		for (const path of ["a.md", "deep/"]) peer.refused.set(path, { status, of });
		for (const path of ["a.md.old", "deep.md"]) peer.files.delete(path);
		peer.files.set("f.md", "f");
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.keys, second.removed.toSorted(), second.warnings]).toEqual([["f.md"], ["a.md.old", "deep.md"], ["WEBDAV_NOT_SHOWN"]]);
		peer.refused.clear();
		expect((await syncOnce(peer, {}, second.cursor)).keys).toEqual([]);
	});

	test("a file that is asked for alone is there if the server names it and does not show it", async () => {
		const peer = await open({ "a.md": "a", "b.md": "b" });
		const config = configure(metadataFor(peer), 10);
		const isThere = presence(config, openDav(config, createConnectorHost([peer.host])), createStep());
		peer.refused.set("a.md", { status: "403 Forbidden", of: "response" });
		peer.refused.set("b.md", { status: "404 Not Found", of: "response" });
		expect([await isThere("a.md", "a.md"), await isThere("b.md", "b.md")]).toEqual([true, false]);
	});

	test("what a list names as not there is removed", async () => {
		const peer = await open({ "a.md": "a", "deep/b.md": "b", "c.md": "c" });
		const first = await syncOnce(peer);
		peer.refused.set("a.md", { status: "404 Not Found", of: "response" });
		peer.refused.set("deep/", { status: "410 Gone", of: "response" });
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.removed.toSorted(), second.warnings]).toEqual([["a.md", "deep/b.md"], []]);
	});

	test("a folder that does not show itself, nor anything in it, keeps its documents", async () => {
		const peer = await open({ "a.md": "a", "deep/b.md": "b" });
		const first = await syncOnce(peer);
		const own = (path: string) =>
			`<d:multistatus xmlns:d="DAV:"><d:response><d:href>${path}</d:href><d:status>HTTP/1.1 403 Forbidden</d:status></d:response></d:multistatus>`;
		peer.trouble = ({ method, path }) => (method === "PROPFIND" && path.endsWith("/deep/") ? { status: 207, body: own(path) } : null);
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.removed, second.warnings]).toEqual([[], ["WEBDAV_FOLDER_FAILED"]]);
		peer.trouble = ({ path }) => ({ status: 207, body: own(path) });
		expect(await refusalOf(() => syncOnce(peer, {}, first.cursor))).toMatchObject({ code: "ADDRESS_FAILED" });
	});

	test("so does one with a name so long that keys have only its beginning", async () => {
		const folder = `${"long ".repeat(38)}name`;
		const peer = await open({ [`${folder}/the words of a.md`]: "a", [`${folder}/b/the words of b.md`]: "b" });
		const first = await syncOnce(peer);
		peer.forbidden.add(`${folder}/`);
		const second = await syncOnce(peer, {}, first.cursor);
		expect([first.keys.length, second.removed, second.warnings]).toEqual([2, [], ["WEBDAV_FOLDER_FAILED"]]);
	});

	test("one whose name is a blank is a document like others", async () => {
		const peer = await open({ " ": "words of the blank", "a.md": "a" });
		const { puts, cursor } = await syncOnce(peer);
		expect(puts.map(({ key }) => key.trim() !== "")).toEqual([true, true]);
		peer.files.delete(" ");
		expect((await syncOnce(peer, {}, cursor)).removed.length).toBe(1);
	});

	test("files that may be listed and not read keep none of the others, however many there are", async () => {
		const peer = await open(Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [`secret ${name}.md`, name])));
		peer.files.set("z.md", "words");
		peer.trouble = ({ method, path }) => (method === "GET" && path.includes("secret") ? { status: 403 } : null);
		const { keys, warnings } = await syncOnce(peer);
		expect([keys, warnings]).toEqual([["z.md"], Array.from({ length: 6 }, () => "WEBDAV_FILE_FAILED")]);
	});
});

describe("what is refused", () => {
	test.each([
		["a wrong password", {}, { password: "password-of-another" }, "CONNECTION_UNAUTHORIZED"],
		["a folder that is not there", {}, { url: "nowhere/" }, "CONNECTION_SOURCE_MISSING"],
		["a server without WebDAV", { status: 405 }, {}, "CONNECTION_INVALID"],
		["a page in place of a list", { status: 200, body: "<p>Welcome</p>" }, {}, "CONNECTION_INVALID"],
		["a redirect to another host", { status: 302, headers: { location: "http://elsewhere.example/dav/" } }, {}, "CONNECTION_INVALID"],
		["a redirect to another port", { status: 302, headers: { location: "http://127.0.0.1:1/dav/" } }, {}, "CONNECTION_INVALID"],
		["maintenance", { status: 503, headers: { "retry-after": "120" } }, {}, "ADDRESS_FAILED"],
	] as const)("%s is told when the connection is made", async (_, reply, more, code) => {
		const peer = await open({ "a.md": "a" });
		if ("status" in reply) peer.trouble = () => reply;
		const connector = await startConnector(webdav(), createConnectorHost([peer.host]));
		const metadata = metadataFor(peer, "url" in more ? { url: peer.url + more.url } : more);
		const error = await refusalOf(() => connector.check?.(connector.configure(metadata, 10), createStep()));
		expect([error.code, error.retryAfterMs]).toEqual([code, code === "ADDRESS_FAILED" ? 120_000 : null]);
	});

	test("a folder that is gone keeps its documents", async () => {
		const peer = await open({ "a.md": "a" });
		const first = await syncOnce(peer);
		peer.trouble = () => ({ status: 404 });
		expect(await refusalOf(() => syncOnce(peer, {}, first.cursor))).toMatchObject({ code: "CONNECTION_SOURCE_MISSING" });
	});
});

test("hundreds of files through faults and kills come as they are, and so do changes, moves and removals", async () => {
	const count = 300;
	const peer = await open(Object.fromEntries(Array.from({ length: count }, (_, i) => [`part-${i % 11}/${i}.txt`, `words of ${i}.`])));
	peer.trouble = faults((path) => path.endsWith("/77.txt"));
	const enduring = { start: () => startConnector(webdav(), createConnectorHost([peer.host])), metadata: metadataFor(peer), kills: 6 };
	const documents: Documents = new Map();
	const there = () => [...peer.files].filter(([path]) => !path.endsWith("/77.txt")).toSorted();
	const first = await endure(enduring, documents, null);
	expect([...documents].toSorted()).toEqual(there() as [string, string][]);
	expect(first.attempts).toBeGreaterThan(enduring.kills + 1);
	expect(first.warnings.some((message) => message.includes("/77.txt"))).toBe(true);
	expect(first.puts.length - count).toBeLessThan(first.attempts * 11);

	peer.files.set("part-1/1.txt", "changed words");
	peer.files.delete("part-2/2.txt");
	peer.files.delete("part-3/3.txt");
	peer.files.set("moved/3.txt", "words of 3.");
	const second = await endure({ ...enduring, kills: 1 }, documents, first.cursor);
	expect([...documents].toSorted()).toEqual(there() as [string, string][]);
	expect([[...new Set(second.puts)].toSorted(), [...new Set(second.removed)].toSorted()]).toEqual([
		["moved/3.txt", "part-1/1.txt"],
		["part-2/2.txt", "part-3/3.txt"],
	]);
});
