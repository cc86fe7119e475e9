import { afterEach, describe, expect, test } from "bun:test";
import dropbox from "../../../plugins/connectors/dropbox/index.ts";
import { connectorContract } from "../../contract/connector-contract.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { type DropboxPeer, type PeerEntry, refused, startDropboxPeer } from "../../doubles/dropbox-peer.ts";
import { attempt, callbackOf, signInOf } from "../../doubles/sign-in.ts";
import { createStep } from "../../doubles/step.ts";
import { resourcesOf, signedInScene, syncSignedIn, syncWithRefusals, wordsOf } from "./signed-in.ts";
import { refusalOf } from "./sync-once.ts";

const peers: DropboxPeer[] = [];
afterEach(() => {
	for (const peer of peers.splice(0)) peer.close();
});

async function open(entries: Readonly<Record<string, Partial<PeerEntry>>> = {}): Promise<DropboxPeer> {
	const peer = await startDropboxPeer(entries);
	peers.push(peer);
	return peer;
}

const pluginFor = ({ origin, oauth: { clientId } }: DropboxPeer) => dropbox({ clientId, endpoint: origin });
type Rest = Parameters<typeof syncSignedIn> extends [unknown, unknown, ...infer Others] ? Others : never;
const syncOnce = (peer: DropboxPeer, ...rest: Rest) => syncSignedIn(pluginFor(peer), peer, ...rest);

const text = (content: string, path = `/${content.split(" ")[0]}.txt`): Partial<PeerEntry> => ({ path, content });
const folder = (path: string): Partial<PeerEntry> => ({ path, kind: "folder" });
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`id:file-${i}`, text(`words ${i}`, `/File ${i}.txt`)]));

async function scene() {
	const peer = await startDropboxPeer({
		"id:tides": text("words of tides", "/Tides.txt"),
		"id:boats": text("words of boats", "/Boats.txt"),
		"id:ropes": text("words", "/Ropes.txt"),
	});
	return signedInScene(peer, pluginFor(peer), {
		nonsense: [
			{ metadata: { syncScope: "some" }, key: "syncScope" },
			{ metadata: { folders: "no path" }, key: "folders" },
			{ metadata: { folders: 7 }, key: "folders" },
			{ metadata: { teamSpace: "perhaps" }, key: "teamSpace" },
		],
		there: () => new Map([...peer.entries].map(([id, { content }]) => [id, String(content)] as const)),
		change: async () => {
			peer.put("id:tides", { content: "other words of tides" });
			peer.put("id:nets", text("words of nets", "/Nets.txt"));
			peer.remove("id:boats");
		},
	});
}

for (const contractTest of [...pluginContract(() => dropbox({ clientId: "client" })), ...connectorContract(scene)]) test(contractTest.name, contractTest.check);

describe("sign-in", () => {
	test("the link asks to read and for a refresh token, which stays the same; revoking ends both tokens, also when one has expired", async () => {
		const peer = await open();
		const connector = await startConnector(pluginFor(peer), createConnectorHost([peer.host]));
		const link = new URL(await signInOf(connector).begin({ ...attempt, accountHint: "ada@example.com" }));
		expect([link.pathname, Object.fromEntries(link.searchParams)]).toEqual([
			"/oauth2/authorize",
			{
				...{ client_id: peer.oauth.clientId, response_type: "code", redirect_uri: attempt.redirectUri, state: attempt.state },
				...{ scope: "account_info.read files.metadata.read files.content.read sharing.read", token_access_type: "offline" },
				...{ code_challenge: expect.stringMatching(/^[\w-]{43}$/), code_challenge_method: "S256" },
			},
		]);
		const { credentials, account } = await signInOf(connector).finish(attempt, await callbackOf(connector), createStep());
		expect(account).toEqual({ id: peer.account.id, address: "ada@example.com" });
		const next = await signInOf(connector).refresh(credentials, createStep());
		expect(next.refreshToken).toBe(credentials.refreshToken);
		peer.oauth.expireTokens();
		await signInOf(connector).revoke(next, createStep());
		expect(peer.oauth.liveGrants()).toBe(0);
		expect((await refusalOf(() => signInOf(connector).refresh(next, createStep()))).code).toBe("CONNECTION_UNAUTHORIZED");
	});

	test("who allows too little is not signed in", async () => {
		const peer = await open();
		peer.oauth.person = "allows nothing";
		const connector = await startConnector(pluginFor(peer), createConnectorHost([peer.host]));
		const refusal = await refusalOf(async () => signInOf(connector).finish(attempt, await callbackOf(connector), createStep()));
		expect([refusal.code, refusal.args.at(-1)]).toEqual(["SIGN_IN_REFUSED", expect.stringContaining("files.content.read")]);
	});
});

describe("files", () => {
	test("a file comes with its path, its page, its times, whom it is shared with and what its links allow", async () => {
		const peer = await open({ "id:tides": { ...text("High water", "/Häfen/Tides.txt"), sharedFolder: "84528192421" } });
		peer.members.set("84528192421", ["ada@example.com", "ben@example.com"]);
		peer.links.set("/Häfen/Tides.txt", "public");
		const url = "https://www.dropbox.com/home/H%C3%A4fen/Tides.txt";
		const { puts } = await syncOnce(peer);
		expect(puts).toEqual([
			{
				key: "id:tides",
				content: { kind: "file", bytes: expect.anything(), fileName: "Tides.txt", claimedMediaType: null, charset: null, address: url } as never,
				title: "Tides.txt",
				metadata: {
					...{ author: "Ben", modifiedBy: "Ben", owners: "ada@example.com", sharedWith: "ben@example.com, anyone", sharedFolder: "84528192421" },
					...{ modifiedAt: "2026-03-01T10:00:00Z", updatedAt: "2026-03-01T10:00:00Z", path: "/Häfen/Tides.txt", url },
				},
				containerTag: null,
			},
		]);
		expect(puts.map(wordsOf)).toEqual(["High water"]);
	});

	test("sharing that the account may not see leaves files as they are, and is asked for once", async () => {
		const entries = { "id:a": { ...text("a"), sharedFolder: "1234" }, "id:b": { ...text("b"), sharedFolder: "1234" } };
		const peer = await open(entries);
		peer.trouble = ({ path }) => (path.startsWith("/2/sharing") ? refused(403, "no_permission") : null);
		expect((await syncOnce(peer)).puts.map(({ metadata }) => metadata["sharedWith"])).toEqual([undefined, undefined]);
		expect(peer.asked.filter((path) => path.includes("/2/sharing")).length).toBe(2);
	});

	test("documents of Paper are exported as what reads best; links, empty and too large files are left out", async () => {
		const peer = await open({
			"id:paper": { path: "/Plan.paper", kind: "paper", content: { html: "<p>plan", markdown: "# plan" } },
			"id:odd": { path: "/Odd.papert", kind: "paper", content: { odd: "odd words" } },
			"id:link": { ...text("link"), kind: "symlink" },
			"id:empty": text("", "/empty.txt"),
			"id:large": { path: "/large.txt", content: new Uint8Array(50 * 1024 * 1024 + 1) },
		});
		const { puts, warnings } = await syncOnce(peer);
		expect(puts.map((put) => [put.key, wordsOf(put), put.content.kind === "file" && put.content.fileName])).toEqual([
			["id:paper", "# plan", "Plan.md"],
			["id:odd", "odd words", "Odd.papert.odd"],
		]);
		expect(warnings).toEqual(["DROPBOX_FILES_SKIPPED: 1 files are too large"]);
	});

	test("a redirect is not followed, and no token with it", async () => {
		const [peer, other] = [await open({ "id:tides": text("tides") }), await open()];
		peer.trouble = ({ path }) => (path === "/2/files/download" ? { status: 302, headers: { location: `${other.origin}/stolen` } } : null);
		const { keys, warnings } = await syncOnce(peer);
		expect([keys, warnings, other.asked]).toEqual([[], [expect.stringContaining("it leads elsewhere, with status 302")], []]);
	});
});

describe("changes", () => {
	test("what is changed, renamed, moved, new and removed is followed over pages, and keeps its key", async () => {
		const peer = await open({ ...many(9), "id:folder": folder("/Folder") });
		peer.pageMax = 2;
		const first = await syncOnce(peer);
		peer.put("id:file-0", { content: "other" });
		peer.move("id:file-1", "/Renamed.txt");
		peer.move("id:file-2", "/Folder/File 2.txt");
		peer.put("id:new", text("new"));
		peer.remove("id:file-3");
		const second = await syncOnce(peer, {}, first.cursor);
		expect([first.keys.length, second.keys, second.removed]).toEqual([9, ["id:file-0", "id:file-1", "id:file-2", "id:new"], ["id:file-3"]]);
		expect(second.puts.find(({ key }) => key === "id:file-1")?.title).toBe("Renamed.txt");
		const third = await syncOnce(peer, {}, second.cursor);
		expect([third.keys, third.removed]).toEqual([[], []]);
	});

	test("a folder that moves takes its files along, one that is deleted too; a file in the place of another replaces it", async () => {
		const peer = await open({
			...{ "id:folder": folder("/Folder"), "id:a": text("a", "/Folder/a.txt"), "id:inner": folder("/Folder/Inner"), "id:b": text("b", "/Folder/Inner/b.txt") },
			...{ "id:c": text("c", "/c.txt"), "id:d": text("d", "/d.txt") },
		});
		const first = await syncOnce(peer);
		peer.move("id:folder", "/Moved");
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.keys, second.removed]).toEqual([["id:a", "id:b"], []]);
		peer.remove("id:folder");
		peer.remove("id:c");
		peer.move("id:d", "/c.txt");
		const third = await syncOnce(peer, {}, second.cursor);
		expect([third.keys, third.removed]).toEqual([["id:d"], ["id:a", "id:b", "id:c"]]);
	});

	test("two files that change places keep their documents", async () => {
		const peer = await open({ "id:a": text("a", "/a.txt"), "id:b": text("b", "/b.txt") });
		const first = await syncOnce(peer);
		peer.move("id:a", "/c.txt");
		peer.move("id:b", "/a.txt");
		peer.move("id:a", "/b.txt");
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.puts.map(({ key, title }) => `${key} ${title}`).toSorted(), second.removed]).toEqual([["id:a b.txt", "id:b a.txt"], []]);
	});

	test("a cursor that was reset makes it list again, which reads only what changed and removes what is gone", async () => {
		const peer = await open(many(5));
		peer.pageMax = 2;
		const first = await syncOnce(peer);
		peer.put("id:file-0", { content: "other" });
		peer.remove("id:file-1");
		peer.forgetCursors();
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.keys, second.removed]).toEqual([["id:file-0"], ["id:file-1"]]);
		peer.put("id:file-2", { content: "other" });
		expect((await syncOnce(peer, {}, second.cursor)).keys).toEqual(["id:file-2"]);
	});
});

describe("chosen folders", () => {
	const entries = {
		...{ "id:of-tides": folder("/Tides"), "id:of-inner": folder("/Tides/Inner"), "id:of-boats": folder("/Boats") },
		...{ "id:a": text("a", "/Tides/a.txt"), "id:b": text("b", "/Tides/Inner/b.txt"), "id:c": text("c", "/Boats/c.txt"), "id:d": text("d", "/d.txt") },
	};

	test("only what lies in them is read, by id or by path; what is moved in comes, and what is moved out goes", async () => {
		const peer = await open(entries);
		const first = await syncOnce(peer, { folders: "id:of-tides" });
		expect([first.keys, (await syncOnce(peer, { folders: "/boats" })).keys, (await syncOnce(peer, { syncScope: "selected" })).keys]).toEqual([
			["id:a", "id:b"],
			["id:c"],
			[],
		]);
		peer.move("id:a", "/a.txt");
		peer.move("id:of-boats", "/Tides/Boats");
		const second = await syncOnce(peer, { folders: "id:of-tides" }, first.cursor);
		expect([second.keys, second.removed]).toEqual([["id:c"], ["id:a"]]);
	});

	test("a file in two chosen folders is one document, and stays while it is in one of them", async () => {
		const peer = await open(entries);
		const both = { folders: ["id:of-tides", "id:of-inner"] };
		const first = await syncOnce(peer, both);
		peer.move("id:b", "/Tides/b.txt");
		const second = await syncOnce(peer, both, first.cursor);
		expect([first.keys, second.keys, second.removed]).toEqual([["id:a", "id:b"], ["id:b"], []]);
	});

	test("one that is locked or restricted keeps its documents, and is followed again when it is not", async () => {
		const peer = await open(entries);
		const first = await syncOnce(peer, { folders: "id:of-boats" });
		// https://www.dropbox.com/developers/documentation/http/documentation#files-list_folder-continue, its `LookupError`.
		peer.trouble = ({ path }) => (path.includes("/list_folder") ? refused(409, "path/locked") : null);
		const second = await syncOnce(peer, { folders: "id:of-boats" }, first.cursor);
		peer.trouble = null;
		peer.remove("id:c");
		const third = await syncOnce(peer, { folders: "id:of-boats" }, second.cursor);
		expect([first.keys, second.removed, second.warnings, third.removed, third.keys]).toEqual([
			["id:c"],
			[],
			[expect.stringContaining("DROPBOX_FOLDER_UNREAD: the folder id:of-boats")],
			["id:c"],
			[],
		]);
	});

	test("while one is locked, what is gone from the others is removed; what may have moved into it stays", async () => {
		const peer = await open({ ...entries, "id:e": text("e", "/Boats/e.txt"), "id:f": text("f", "/Boats/f.txt") });
		const chosen = { folders: ["/Tides", "/Boats"] };
		const first = await syncOnce(peer, chosen);
		expect(first.keys.toSorted()).toEqual(["id:a", "id:b", "id:c", "id:e", "id:f"]);
		const page = await syncOnce(peer, chosen, first.cursor);
		peer.remove("id:c");
		peer.move("id:e", "/Tides/e.txt");
		peer.move("id:f", "/elsewhere.txt");
		let [asked, isLocked] = [0, true];
		// The first folder that is followed.
		peer.trouble = ({ path }) => (isLocked && path.includes("/list_folder") && asked++ === 0 ? refused(409, "path/locked") : null);
		const second = await syncOnce(peer, chosen, page.cursor);
		expect([second.removed.toSorted(), second.warnings]).toEqual([["id:c", "id:f"], [expect.stringContaining("DROPBOX_FOLDER_UNREAD: the folder /Tides")]]);
		isLocked = false;
		const third = await syncOnce(peer, chosen, second.cursor);
		expect([third.removed, third.keys]).toEqual([[], ["id:e"]]);
	});

	test("one that is gone is told, and its files go; another choice removes what it leaves out", async () => {
		const peer = await open(entries);
		const first = await syncOnce(peer, { folders: ["id:of-tides", "id:of-boats"] });
		const second = await syncOnce(peer, { folders: "id:of-boats" }, first.cursor);
		expect([second.keys, second.removed]).toEqual([[], ["id:a", "id:b"]]);
		peer.remove("id:of-boats");
		const third = await syncOnce(peer, { folders: "id:of-boats" }, second.cursor);
		expect([third.removed, third.warnings]).toEqual([
			["id:c"],
			["DROPBOX_FOLDER_MISSING: the folder id:of-boats is gone, or its account may no longer see it"],
		]);
	});

	test("they are listed", async () => {
		const peer = await open(entries);
		expect(await resourcesOf(pluginFor(peer), peer, null, {}, 1, 2)).toEqual({
			resources: [{ id: "id:of-tides", name: "Tides", type: "folder", path: "/Tides" }],
			total: 2,
		});
		expect((await resourcesOf(pluginFor(peer), peer, "id:of-tides"))?.resources).toEqual([
			{ id: "id:of-inner", name: "Inner", type: "folder", path: "/Tides/Inner", parent_id: "id:of-tides" },
		]);
		expect((await resourcesOf(pluginFor(peer), peer, "id:not-there"))?.total).toBe(0);
	});

	test("the space of a team is read where it is told; a root that has changed meanwhile is told", async () => {
		const peer = await open({ "id:own": text("own", "/Ada/own.txt"), "id:team": text("team", "/Team Folder/team.txt") });
		peer.root = { namespace: "4711", home: "/Ada" };
		const own = await syncOnce(peer);
		const team = await syncOnce(peer, { teamSpace: true });
		expect([own.puts.map(({ metadata }) => metadata["path"]), team.puts.map(({ metadata }) => metadata["path"])]).toEqual([
			["/own.txt"],
			["/Ada/own.txt", "/Team Folder/team.txt"],
		]);
		peer.trouble = ({ path }) => (path === "/2/files/list_folder" ? refused(422, "invalid_root") : null);
		expect((await refusalOf(() => syncOnce(peer, { teamSpace: true }))).code).toBe("ADDRESS_FAILED");
	});
});

describe("trouble", () => {
	test("throttling is waited out as long as Dropbox asks; a longer pause ends the sync; a file that fails keeps none of the others", async () => {
		const peer = await open(many(7));
		let asked = 0;
		peer.trouble = ({ path, headers }) => {
			const of = String(headers["dropbox-api-arg"] ?? "");
			if (of.includes("file-3")) return { status: 500, body: "" };
			return path === "/2/files/download" && ++asked === 2 ? { status: 429, headers: { "retry-after": "20" }, body: "" } : null;
		};
		const { keys, warnings, pauses } = await syncOnce(peer);
		expect([keys.length, warnings, pauses.includes(20_000)]).toEqual([6, [expect.stringContaining("status 500")], true]);
		peer.trouble = ({ path }) => (path.startsWith("/2/files") ? { status: 429, headers: { "retry-after": "600" }, body: "" } : null);
		expect((await refusalOf(async () => resourcesOf(pluginFor(peer), peer, null))).retryAfterMs).toBe(600_000);
	});

	test("a token that has expired is renewed once; a sign-in that was revoked and a scope that is missing are told apart", async () => {
		const peer = await open(many(2));
		expect(await syncWithRefusals(pluginFor(peer), peer)).toEqual({ keys: ["id:file-0", "id:file-1"], refreshes: 1, code: "CONNECTION_UNAUTHORIZED" });
		peer.trouble = ({ path }) => (path.startsWith("/2/files") ? refused(401, "missing_scope") : null);
		expect((await refusalOf(() => syncOnce(peer))).code).toBe("CONNECTION_FORBIDDEN");
	});
});

test("its setting is the app key alone; without it the connector is not there", () => {
	const configure = dropbox().configure;
	const given = (settings: Record<string, string>) => configure?.({}, { settings, modelsDir: "", modelTimeoutMs: 1, use: {} });
	expect([given({}), given({ CAIRN_OAUTH_DROPBOX_ID: "key" })]).toEqual([null, { options: { clientId: "key" } }]);
	// There is no setting for a secret, so the message names none.
	const secretAlone = () => configure?.({ clientSecret: "secret" }, { settings: {}, modelsDir: "", modelTimeoutMs: 1, use: {} });
	expect(secretAlone).toThrow("CAIRN_OAUTH_DROPBOX_ID");
	expect(secretAlone).not.toThrow("CAIRN_OAUTH_DROPBOX_SECRET");
	expect(dropbox().settings?.map(({ env }) => env)).toEqual(["CAIRN_OAUTH_DROPBOX_ID", "CAIRN_OAUTH_DROPBOX_URL"]);
});
