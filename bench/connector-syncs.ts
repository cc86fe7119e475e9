/**
 * First syncs of thousands of items against the peers, through faults and kills, then what changes: `bun bench/connector-syncs.ts 5000`, or
 * `bun bench/connector-syncs.ts 5000 gmail imap` for these alone.
 * Where somebody signs in or gives keys, these are then revoked, something changes, and there are new ones.
 * What came is compared item by item; a difference ends it with 1. Pauses take no time, so times are those of the connector and its peer.
 */

import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connector, type Cursor, ServiceError, type Step } from "cairn-memory";
import dropbox from "../plugins/connectors/dropbox/index.ts";
import folder from "../plugins/connectors/folder/index.ts";
import github from "../plugins/connectors/github/index.ts";
import gmail from "../plugins/connectors/gmail/index.ts";
import googleDrive from "../plugins/connectors/google-drive/index.ts";
import imap from "../plugins/connectors/imap/index.ts";
import notion from "../plugins/connectors/notion/index.ts";
import onedrive from "../plugins/connectors/onedrive/index.ts";
import rss from "../plugins/connectors/rss/index.ts";
import s3 from "../plugins/connectors/s3/index.ts";
import webCrawler from "../plugins/connectors/web-crawler/index.ts";
import webdav from "../plugins/connectors/webdav/index.ts";
import type { Documents } from "../test/contract/connector-scene.ts";
import { createConnectorHost, startConnector } from "../test/doubles/connector-host.ts";
import { startDropboxPeer } from "../test/doubles/dropbox-peer.ts";
import { startFeedPeer } from "../test/doubles/feed-peer.ts";
import { peerDiscussion } from "../test/doubles/github-discussions.ts";
import { peerRepository, startGithubPeer } from "../test/doubles/github-peer.ts";
import { startGmailPeer } from "../test/doubles/gmail-peer.ts";
import { folderType, startGooglePeer } from "../test/doubles/google-peer.ts";
import { ownDrive, startGraphPeer } from "../test/doubles/graph-peer.ts";
import { peerMail, startImapPeer } from "../test/doubles/imap-peer.ts";
import { faults, type LocalPeer } from "../test/doubles/local-peer.ts";
import { notionId, peerPage, startNotionPeer } from "../test/doubles/notion-peer.ts";
import type { OAuthPeer } from "../test/doubles/oauth-peer.ts";
import { startS3Peer, textsOf } from "../test/doubles/s3-peer.ts";
import { signIn } from "../test/doubles/sign-in.ts";
import { startWebdavPeer } from "../test/doubles/webdav-peer.ts";
import { type Enduring, endure } from "../test/plugins/connectors/endure.ts";
import { link, startSitePeer } from "../test/plugins/connectors/site-peer.ts";

const count = Number(process.argv[2] ?? 5_000);
/** Names of connectors; all without one. */
const only = process.argv.slice(3);
const kills = 20;
const numbers = Array.from({ length: count }, (_, i) => i);
/** Never answers anything but 500. */
const broken = 77;

interface Side {
	readonly start: () => Promise<Connector>;
	readonly metadata: Readonly<Record<string, unknown>>;
	/** What lets the connector in, unless everybody is let in or nothing ends it. */
	readonly access?: {
		/** Where somebody signs in. */
		readonly accessToken?: NonNullable<Step["accessToken"]>;
		readonly revoke: () => void;
		/** What lets it in after that. */
		readonly renew: () => Promise<Partial<Enduring>>;
		/** One item more. */
		readonly add: () => void;
	};
	/** Words by key; a connector that makes keys of its own is asked which it gave to which words. */
	readonly there: (documents: Documents) => ReadonlyMap<string, string>;
	/** One item more, one changed, one gone, one with another name. */
	readonly change: () => Promise<void>;
	readonly asked: () => number;
	readonly close: () => unknown;
}

async function feedSide(): Promise<Side> {
	const entry = (id: string | number, words = `words of ${id}.`) => ({ id: `${id}`, title: `Entry ${id}`, html: `<p>${words}</p>` });
	const peer = Object.assign(await startFeedPeer(numbers.map((i) => entry(i))), { perPage: 100, trouble: faults((path) => path === `/entry/${broken}`) });
	return {
		start: () => startConnector(rss(), createConnectorHost([peer.host])),
		metadata: { feedUrl: peer.feedUrl, pages: true },
		there: () => new Map(peer.entries.filter(({ id }) => id !== `${broken}`).map(({ id, html }) => [`urn:x:${id}`, html])),
		change: async () => {
			peer.entries = [entry("new"), ...peer.entries.filter(({ id }) => id !== "5").map((one) => (one.id === "9" ? entry(9, "changed") : one))];
			peer.deleted.push("5");
		},
		asked: () => peer.asked.length,
		close: peer.close,
	};
}

async function folderSide(): Promise<Side> {
	const path = await mkdtemp(join(tmpdir(), "cairn-connector-syncs-"));
	const files = new Map(numbers.map((i) => [`part-${i % 50}/${i}.txt`, `words of ${i}.`]));
	for (let i = 0; i < 50; i++) await mkdir(join(path, `part-${i}`));
	for (const [name, text] of files) await writeFile(join(path, name), text);
	const documents = new Map(files);
	return {
		start: () => startConnector(folder({ folders: [path] }), createConnectorHost([])),
		metadata: { path },
		there: () => documents,
		change: async () => {
			for (const [name, text] of [
				["new.txt", "new"],
				["part-1/1.txt", "changed words"],
			] as const) {
				await writeFile(join(path, name), text);
				documents.set(name, text);
			}
			await rm(join(path, "part-2/2.txt"));
			documents.delete("part-2/2.txt");
			// It keeps its key.
			await rename(join(path, "part-3/3.txt"), join(path, "renamed.txt"));
		},
		asked: () => 0,
		close: () => rm(path, { recursive: true }),
	};
}

async function webdavSide(): Promise<Side> {
	const peer = await startWebdavPeer(Object.fromEntries(numbers.map((i) => [`part-${i % 50}/${i}.txt`, `words of ${i}.`])));
	peer.trouble = faults((path) => path.endsWith(`/${broken}.txt`));
	const { url, username, password, files } = peer;
	return {
		start: () => startConnector(webdav(), createConnectorHost([peer.host])),
		metadata: { url, username, password },
		there: () => new Map([...files].filter(([path]) => !path.endsWith(`/${broken}.txt`)).map(([path, text]) => [path, String(text)])),
		change: async () => {
			files.set("new.txt", "new").set("part-1/1.txt", "changed words").set("renamed.txt", "words of 3.");
			for (const path of ["part-2/2.txt", "part-3/3.txt"]) files.delete(path);
		},
		asked: () => peer.asked.length,
		close: peer.close,
	};
}

async function notionSide(): Promise<Side> {
	const peer = await startNotionPeer(Object.fromEntries(numbers.map((i) => [`${i}`, peerPage(`Page ${i}`, `words of ${i}.`)])));
	peer.trouble = faults((path) => path.includes(notionId(`${broken}`)));
	const { token, origin: endpoint, pages } = peer;
	return {
		start: () => startConnector(notion(), createConnectorHost([peer.host])),
		metadata: { token, endpoint },
		there: () => new Map([...pages].filter(([id]) => id !== notionId(`${broken}`)).map(([id, { title }]) => [id, `# ${title}\n`])),
		change: async () => {
			const edited = "2026-03-02T10:00:00.000Z";
			pages.set(notionId("new"), peerPage("New", "new"));
			pages.set(notionId("1"), peerPage("Renamed", "words of 1.", { edited }));
			pages.delete(notionId("2"));
		},
		asked: () => peer.asked.length,
		close: peer.close,
	};
}

/** Discussions alone. */
async function githubSide(): Promise<Side> {
	const repository = peerRepository();
	const found = numbers.map((i) => peerDiscussion(i + 1, { body: `words of ${i + 1}.`, comments: [{ author: "bo", body: "A comment." }] }));
	repository.discussions = found;
	const peer = await startGithubPeer({ "harbour/tides": repository });
	const trouble = faults(() => false);
	// One that GraphQL fails to answer, whoever asks.
	peer.trouble = (request, asked) => (request.body.includes(`"number":${broken},`) ? { status: 502, body: "broken" } : trouble(request, asked));
	const { token, endpoint } = peer;
	return {
		start: () => startConnector(github(), createConnectorHost([peer.host])),
		metadata: { token, endpoint, repositories: "harbour/tides", discussions: true },
		there: () => new Map(repository.discussions.filter(({ number }) => number !== broken).map(({ number, body }) => [`harbour/tides!${number}`, body])),
		change: async () => {
			const updatedAt = "2026-04-01T10:00:00Z";
			const changed = repository.discussions.map((one) => (one.number === 1 ? { ...one, body: "changed words", updatedAt } : one));
			const renamed = changed.map((one) => (one.number === 3 ? { ...one, title: "Renamed", updatedAt } : one));
			repository.discussions = [...renamed.filter(({ number }) => number !== 2), peerDiscussion(count + 1, { body: "new" })];
		},
		asked: () => peer.asked.length,
		close: peer.close,
	};
}

function ofSignIn(accessToken: NonNullable<Step["accessToken"]>, oauth: OAuthPeer, start: Side["start"], add: () => void): NonNullable<Side["access"]> {
	// Who meets a service that is busy tries again.
	const renew = async () => ({ accessToken: await signIn(await start()).catch(async () => signIn(await start())) });
	return { accessToken, add, revoke: oauth.revokeAll, renew };
}

async function gmailSide(): Promise<Side> {
	const peer = await startGmailPeer(Object.fromEntries(numbers.map((i) => [`${i}`, { body: `words of ${i}.` }])));
	const { clientId, clientSecret } = peer.oauth;
	const start = () => startConnector(gmail({ clientId, clientSecret, endpoint: peer.origin }), createConnectorHost([peer.host]));
	const accessToken = await signIn(await start());
	const trouble = faults((path) => path.includes(`/messages/${broken}?`));
	peer.trouble = (request, asked) => {
		if (asked % 701 === 0) peer.oauth.expireTokens();
		return request.path.startsWith("/gmail/") ? trouble(request, asked) : null;
	};
	return {
		...{ start, metadata: {}, asked: () => peer.asked.length, close: peer.close },
		access: ofSignIn(accessToken, peer.oauth, start, () => peer.add("later", { body: "later" })),
		there: () => new Map([...peer.mails.values()].filter(({ threadId }) => threadId !== `thread-${broken}`).map(({ threadId, body }) => [threadId, body])),
		change: async () => {
			peer.add("new", { body: "new" });
			peer.add("answer", { threadId: "thread-1", body: "changed words", sentAt: Date.parse("2026-04-01T10:00:00Z") });
			peer.remove("2");
			// It is archived: its labels are others.
			peer.label("3", { remove: ["INBOX"] });
		},
	};
}

async function imapSide(): Promise<Side> {
	const peer = await startImapPeer({ INBOX: numbers.map((i) => peerMail(`${i}`, { body: `words of ${i}.` })), Archive: [] });
	const { host, port, username, password } = peer;
	const isBroken = new RegExp(`UID FETCH ${broken + 1} .*BODY\\.PEEK`);
	peer.trouble = (command, asked) => {
		if (isBroken.test(command)) return "[CORRUPTION] unreadable";
		if (asked % 41 === 0) return "[UNAVAILABLE] later";
		return asked % 59 === 0 ? "drop" : null;
	};
	return {
		start: () => startConnector(imap(), createConnectorHost([`${host}:${port}`])),
		metadata: { host, port, username, password, tls: false },
		there: (documents) => {
			const keys = new Map([...documents].map(([key, words]) => [words, key]));
			const mails = [...peer.mailboxes.values()].flatMap((mailbox) => mailbox.mails).filter(({ uid }) => uid !== broken + 1);
			return new Map(mails.map(({ raw }) => [keys.get(raw) ?? raw, raw]));
		},
		change: async () => {
			peer.add("INBOX", peerMail("new"));
			// A mail never changes: it is one gone and one new.
			peer.remove("INBOX", 2);
			peer.add("INBOX", peerMail("1", { body: "changed words" }));
			peer.remove("INBOX", 3);
			peer.move("INBOX", 4, "Archive");
		},
		asked: () => peer.asked.length,
		close: peer.close,
	};
}

type Trouble = NonNullable<LocalPeer["trouble"]>;

/** Tokens expire every so often, beside all other faults. */
function expiring(oauth: OAuthPeer, trouble: Trouble): Trouble {
	return (request, count) => {
		if (count % 503 === 0) oauth.expireTokens();
		return request.path.includes("oauth2") ? null : trouble(request, count);
	};
}

async function oneDriveSide(): Promise<Side> {
	const peer = await startGraphPeer();
	for (const i of numbers) {
		if (i % 100 === 0) peer.put(`folder-${i / 100}`, { kind: "folder" });
		peer.put(`file-${i}`, { name: `${i}.txt`, parent: `folder-${Math.floor(i / 100)}`, content: `words of ${i}.` });
	}
	const { clientId, clientSecret } = peer.oauth;
	const start = () => startConnector(onedrive({ clientId, clientSecret, endpoint: peer.origin }), createConnectorHost([peer.host]));
	const accessToken = await signIn(await start());
	peer.trouble = expiring(
		peer.oauth,
		faults((path) => path.includes(`/file-${broken}?`) || path.endsWith(`/file-${broken}`)),
	);
	const files = () => [...(peer.drives.get(ownDrive)?.items ?? [])].filter(([id, { kind }]) => kind === "file" && id !== `file-${broken}`);
	return {
		...{ start, metadata: {} },
		access: ofSignIn(accessToken, peer.oauth, start, () => peer.put("file-later", { content: "later" })),
		there: () => new Map(files().map(([id, { content }]) => [`${ownDrive}/${id}`, String(content)])),
		change: async () => {
			peer.put("file-new", { content: "new" });
			peer.put("file-1", { content: "changed words" });
			peer.remove("file-2");
			peer.put("file-3", { name: "renamed.txt" });
			peer.put("file-4", { parent: "folder-1" });
		},
		asked: () => peer.asked.length,
		close: peer.close,
	};
}

/** @param metadata everything, or a folder with all that is in it */
async function driveSide(metadata: Side["metadata"]): Promise<Side> {
	const parts = Array.from({ length: 50 }, (_, i) => [`part-${i}-of-fifty`, { name: `Part ${i}`, mimeType: folderType, parents: ["folder-of-all"] }] as const);
	const files = numbers.map((i) => [`file-${i}`, { name: `${i}.txt`, content: `words of ${i}.`, parents: [`part-${i % 50}-of-fifty`] }] as const);
	const peer = await startGooglePeer(Object.fromEntries([["folder-of-all", { name: "All", mimeType: folderType }], ...parts, ...files]));
	const { clientId, clientSecret } = peer.oauth;
	const start = () => startConnector(googleDrive({ clientId, clientSecret, endpoint: peer.endpoint }), createConnectorHost([peer.host]));
	const accessToken = await signIn(await start());
	// With pages as short as that, the listing is cut off as well.
	peer.pageMax = 100;
	const disturbed = faults((path) => path.includes(`/files/file-${broken}?`));
	peer.trouble = (request, asked) => {
		if (asked % 503 === 0) peer.oauth.expireTokens();
		return request.path.startsWith("/drive/") ? disturbed(request, asked) : null;
	};
	const there = () => [...peer.files].filter(([id, { mimeType }]) => mimeType !== folderType && id !== `file-${broken}`);
	const parents = ["part-1-of-fifty"];
	return {
		...{ start, metadata, asked: () => peer.asked.length, close: peer.close },
		access: ofSignIn(accessToken, peer.oauth, start, () => peer.put("file-later", { content: "later", parents })),
		there: () => new Map(there().map(([id, { content }]) => [id, String(content)])),
		change: async () => {
			peer.put("file-new", { content: "new", parents });
			peer.put("file-1", { content: "changed words" });
			peer.remove("file-2");
			peer.put("file-3", { name: "renamed.txt" });
			peer.put("file-4", { parents });
		},
	};
}

async function dropboxSide(): Promise<Side> {
	const peer = await startDropboxPeer(
		Object.fromEntries(numbers.map((i) => [`id:file-${i}`, { path: `/part-${i % 50}/${i}.txt`, content: `words of ${i}.` }])),
	);
	const { clientId } = peer.oauth;
	const start = () => startConnector(dropbox({ clientId, endpoint: peer.origin }), createConnectorHost([peer.host]));
	const accessToken = await signIn(await start());
	const disturbed = faults(() => false);
	peer.trouble = expiring(peer.oauth, (request, count) =>
		String(request.headers["dropbox-api-arg"]).includes(`"id:file-${broken}"`) ? { status: 500, body: "broken" } : disturbed(request, count),
	);
	return {
		...{ start, metadata: {} },
		access: ofSignIn(accessToken, peer.oauth, start, () => peer.put("id:later", { path: "/later.txt", content: "later" })),
		there: () => new Map([...peer.entries].filter(([id]) => id !== `id:file-${broken}`).map(([id, { content }]) => [id, String(content)])),
		change: async () => {
			peer.put("id:new", { path: "/new.txt", content: "new" });
			peer.put("id:file-1", { content: "changed words" });
			peer.remove("id:file-2");
			peer.move("id:file-3", "/renamed.txt");
			peer.move("id:file-4", "/part-1/4.txt");
		},
		asked: () => peer.asked.length,
		close: peer.close,
	};
}

async function s3Side(): Promise<Side> {
	const peer = await startS3Peer(Object.fromEntries(numbers.map((i) => [`part-${i % 50}/${i}.txt`, `words of ${i}.`])));
	const isBroken = (key: string) => key.endsWith(`/${broken}.txt`);
	// With pages as short as that, the listing is cut off as well.
	peer.pageMax = 100;
	const disturbed = faults(isBroken);
	peer.trouble = (_method, path) => disturbed({ path }, peer.requests.length)?.status ?? null;
	const { keys, endpoint, objects } = peer;
	const metadata = () => ({ ...keys, endpoint });
	return {
		start: () => startConnector(s3(), createConnectorHost([peer.host])),
		metadata: metadata(),
		access: {
			revoke: () => Object.assign(keys, { accessKeyId: "AKIAANOTHERANOTHER" }),
			renew: async () => ({ metadata: metadata() }),
			add: () => objects.set("later.txt", "later"),
		},
		there: () => new Map([...textsOf(peer)].filter(([key]) => !isBroken(key))),
		change: async () => {
			// An object has no name but its key: one that is renamed or moved is one gone and one new.
			objects.set("new.txt", "new").set("part-1/1.txt", "changed words").set("part-3/renamed.txt", "words of 3.").set("part-1/4.txt", "words of 4.");
			for (const key of ["part-2/2.txt", "part-3/3.txt", "part-4/4.txt"]) objects.delete(key);
		},
		asked: () => peer.requests.length,
		close: peer.close,
	};
}

/** Pages behind fifty lists of links. */
async function siteSide(): Promise<Side> {
	const lists = Array.from({ length: 50 }, (_, part) => part);
	const linksTo = (paths: readonly string[]) => paths.map((path) => link(path)).join(" ");
	const pagesOf = (part: number) => numbers.filter((i) => i % 50 === part).map((i) => `/page-${i}`);
	const listed = lists.map((part) => [`/list-${part}`, linksTo(pagesOf(part))] as const);
	const items = numbers.map((i) => [`/page-${i}`, `words of ${i}.`] as const);
	const peer = await startSitePeer(Object.fromEntries([["/", linksTo(listed.map(([path]) => path))], ...listed, ...items]));
	peer.trouble = faults((path) => path === `/page-${broken}`);
	const { origin, pages } = peer;
	return {
		start: () => startConnector(webCrawler(), createConnectorHost([peer.host])),
		metadata: { startUrl: `${origin}/` },
		there: () =>
			new Map([...pages].flatMap(([path, page]) => (typeof page === "string" && path !== `/page-${broken}` ? [[`${origin}${path}`, page] as const] : []))),
		change: async () => {
			pages
				.set("/", `${pages.get("/")} ${link("/new")}`)
				.set("/new", "new")
				.set("/page-1", "changed words");
			pages.delete("/page-2");
			pages.set("/page-3", { status: 301, headers: { location: "/renamed" } }).set("/renamed", "words of 3.");
		},
		asked: () => peer.asked.length,
		close: peer.close,
	};
}

/** How many keys differ. */
function differences(documents: Documents, there: ReadonlyMap<string, string>): number {
	const wrong = [...there].filter(([key, words]) => documents.get(key)?.includes(words) !== true).length;
	return wrong + [...documents.keys()].filter((key) => !there.has(key)).length;
}

const sides = {
	...{ rss: feedSide, folder: folderSide, webdav: webdavSide, notion: notionSide, gmail: gmailSide, imap: imapSide, github: githubSide },
	...{ onedrive: oneDriveSide, dropbox: dropboxSide, s3: s3Side, "web-crawler": siteSide },
	...{ drive: () => driveSide({ syncScope: "full" }), "drive-folder": () => driveSide({ folders: "folder-of-all" }) },
};

/** As core takes them: they end the syncs until there are others. */
const refusals: ReadonlySet<string> = new Set(["CONNECTION_UNAUTHORIZED", "CONNECTION_FORBIDDEN"]);

/** @returns how many keys differ once it is let in again */
async function letInAgain({ access, there }: Side, enduring: Enduring, documents: Documents, cursor: Cursor | null): Promise<number | ""> {
	if (access === undefined) return "";
	access.revoke();
	access.add();
	const refused = await endure(enduring, documents, cursor).catch((thrown: unknown) => thrown);
	if (!(refused instanceof ServiceError && refusals.has(refused.code))) throw new Error("what was revoked was not told", { cause: refused });
	await endure({ ...enduring, ...(await access.renew()) }, documents, cursor);
	return differences(documents, there(documents));
}

let isSame = true;
console.log(
	`${count} items, ${kills} kills; every 41st and 197th answer 429, every 59th 500, one item broken; of those with a sign-in, every 503rd request ends the access token\n`,
);
console.log(
	"| Connector | First sync | Attempts | Requests | Brought | Wrong | After changes: brought | removed | wrong | After a new sign-in or new keys: wrong | Memory of the process |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|---|");
for (const [name, open] of Object.entries(sides).filter(([one]) => only.length === 0 || only.includes(one))) {
	const side = await open();
	const documents: Documents = new Map();
	const started = performance.now();
	const { start, metadata } = side;
	const enduring = { start, metadata, kills: 1, ...(side.access?.accessToken !== undefined && { accessToken: side.access.accessToken }) };
	const first = await endure({ ...enduring, kills }, documents, null);
	const seconds = ((performance.now() - started) / 1_000).toFixed(1);
	const [asked, wrong] = [side.asked(), differences(documents, side.there(documents))];
	await side.change();
	const changed = await endure(enduring, documents, first.cursor);
	// A place that was refused at that moment holds removals back until the next sync, and the sync says so.
	const isHeld = changed.warnings.some((message) => message.includes("was not read"));
	const next = isHeld ? await endure(enduring, documents, changed.cursor) : null;
	const second = next === null ? changed : { cursor: next.cursor, puts: [...changed.puts, ...next.puts], removed: [...changed.removed, ...next.removed] };
	const wrongAfter = differences(documents, side.there(documents));
	const wrongAgain = await letInAgain(side, { ...enduring, kills: 0 }, documents, second.cursor);
	isSame &&= wrong + wrongAfter + Number(wrongAgain) === 0;
	const after = [new Set(second.puts).size, new Set(second.removed).size, wrongAfter, wrongAgain];
	const memory = `${Math.round(process.memoryUsage.rss() / 1024 / 1024)} MiB`;
	console.log(`| ${[name, `${seconds} s`, first.attempts, asked, first.puts.length, wrong, ...after, memory].join(" | ")} |`);
	await side.close();
}
process.exit(isSame ? 0 : 1);
