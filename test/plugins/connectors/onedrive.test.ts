import { afterEach, describe, expect, test } from "bun:test";
import { isDownloadAddress } from "../../../plugins/connectors/onedrive/hosts.ts";
import onedrive from "../../../plugins/connectors/onedrive/index.ts";
import { connectorContract } from "../../contract/connector-contract.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { type GraphPeer, ownDrive, type PeerItem, rootOf, startGraphPeer } from "../../doubles/graph-peer.ts";
import { attempt, callbackOf, signIn, signInOf } from "../../doubles/sign-in.ts";
import { createStep } from "../../doubles/step.ts";
import { resourcesOf, signedInScene, syncSignedIn, syncWithRefusals, wordsOf } from "./signed-in.ts";
import { refusalOf } from "./sync-once.ts";

const peers: GraphPeer[] = [];
afterEach(() => {
	for (const peer of peers.splice(0)) peer.close();
});

async function open(items: Readonly<Record<string, Partial<PeerItem>>> = {}): Promise<GraphPeer> {
	const peer = await startGraphPeer(items);
	peers.push(peer);
	return peer;
}

const pluginFor = ({ origin, oauth: { clientId, clientSecret } }: GraphPeer) => onedrive({ clientId, clientSecret, endpoint: origin });
type Rest = Parameters<typeof syncSignedIn> extends [unknown, unknown, ...infer Others] ? Others : never;
const syncOnce = (peer: GraphPeer, ...rest: Rest) => syncSignedIn(pluginFor(peer), peer, ...rest);

const text = (content: string, more: Partial<PeerItem> = {}): Partial<PeerItem> => ({ name: `${content.split(" ")[0]}.txt`, content, ...more });
const key = (id: string, drive = ownDrive) => `${drive}/${id}`;
const keys = (...ids: readonly string[]) => ids.map((id) => key(id));
const library = "b!library-of-harbour";

async function scene() {
	const peer = await startGraphPeer({
		"file-of-tides": text("words of tides"),
		"file-of-boats": text("words of boats"),
		"file-of-ropes": text("words of ropes"),
	});
	return signedInScene(peer, pluginFor(peer), {
		nonsense: [
			{ metadata: { syncScope: "some" }, key: "syncScope" },
			{ metadata: { folders: "contoso.sharepoint.com,a,b" }, key: "folders" },
			{ metadata: { folders: 7 }, key: "folders" },
			{ metadata: { folders: Array.from({ length: 201 }, (_, i) => `drive-number-${i}`) }, key: "folders" },
		],
		there: () => new Map([...(peer.drives.get(ownDrive)?.items ?? [])].map(([id, { content }]) => [key(id), String(content)] as const)),
		change: async () => {
			peer.put("file-of-tides", { content: "other words of tides" });
			peer.put("file-of-nets", text("words of nets"));
			peer.remove("file-of-boats");
		},
	});
}

const options = { clientId: "client", clientSecret: "secret-of-the-client" };
for (const contractTest of [...pluginContract(() => onedrive(options)), ...connectorContract(scene)]) test(contractTest.name, contractTest.check);

describe("sign-in", () => {
	test("the link asks to read files and sites and for a refresh token; it knows the account, and keeps what replaces the refresh token", async () => {
		const peer = await open();
		peer.oauth.rotates = true;
		const connector = await startConnector(pluginFor(peer), createConnectorHost([peer.host]));
		const link = new URL(await signInOf(connector).begin({ ...attempt, accountHint: "ada@example.com" }));
		expect([link.pathname, Object.fromEntries(link.searchParams)]).toEqual([
			"/common/oauth2/v2.0/authorize",
			{
				...{ client_id: peer.oauth.clientId, response_type: "code", redirect_uri: attempt.redirectUri, state: attempt.state },
				...{ scope: "Files.Read.All User.Read offline_access Sites.Read.All", response_mode: "query", prompt: "select_account" },
				...{ code_challenge: expect.stringMatching(/^[\w-]{43}$/), code_challenge_method: "S256", login_hint: "ada@example.com" },
			},
		]);
		const { credentials, account } = await signInOf(connector).finish(attempt, await callbackOf(connector), createStep());
		expect(account).toEqual({ id: peer.account.id, address: "ada@example.com" });
		const next = await signInOf(connector).refresh(credentials, createStep());
		expect(next.refreshToken).not.toBe(credentials.refreshToken);
		// Microsoft lets no program end a consent.
		await signInOf(connector).revoke(next, createStep());
		expect(peer.oauth.liveGrants()).toBe(1);
	});

	test("another tenant is asked in its own place; who allows nothing is not signed in", async () => {
		const peer = await open();
		const tenant = await startConnector(onedrive({ ...options, tenant: "contoso.example" }), createConnectorHost([]));
		expect(await signInOf(tenant).begin(attempt)).toStartWith("https://login.microsoftonline.com/contoso.example/oauth2/v2.0/authorize?");
		peer.oauth.person = "allows nothing";
		const connector = await startConnector(pluginFor(peer), createConnectorHost([peer.host]));
		const refusal = await refusalOf(async () => signInOf(connector).finish(attempt, await callbackOf(connector), createStep()));
		expect([refusal.code, refusal.args.at(-1)]).toEqual(["SIGN_IN_REFUSED", "it was not allowed to Files.Read.All, User.Read"]);
	});
});

describe("files", () => {
	test("a file comes with its name, its page, its author, its times and whom it is shared with", async () => {
		const permissions = [
			{ roles: ["owner"], grantedToV2: { user: { displayName: "Ada", email: "ada@example.com" } } },
			{ roles: ["read"], grantedToV2: { siteUser: { displayName: "Ben", email: "ben@example.com" } } },
			{ roles: ["read"], link: { scope: "anonymous" }, grantedToIdentitiesV2: [] },
			{ roles: ["write"], link: { scope: "users" }, grantedToIdentitiesV2: [{ user: { displayName: "Cleo" } }] },
		];
		const peer = await open({ "file-of-tides": text("High water", { name: "Tides.txt", permissions }) });
		const url = `https://onedrive.example/${ownDrive}/file-of-tides`;
		const { puts } = await syncOnce(peer);
		expect(puts).toEqual([
			{
				key: key("file-of-tides"),
				content: { kind: "file", bytes: expect.anything(), fileName: "Tides.txt", claimedMediaType: "text/plain", charset: null, address: url } as never,
				title: "Tides.txt",
				metadata: {
					...{ author: "Ada", modifiedBy: "ada@example.com", owners: "ada@example.com", sharedWith: "ben@example.com, Cleo, anyone", url },
					...{ createdAt: "2026-01-01T09:00:00Z", updatedAt: "2026-03-01T10:00:00Z" },
				},
				containerTag: null,
			},
		]);
		expect(puts.map(wordsOf)).toEqual(["High water"]);
	});

	test("permissions that the account may not see leave the file as it is", async () => {
		const peer = await open({ "file-of-tides": text("High water", { permissions: [] }) });
		peer.trouble = ({ path }) => (path.endsWith("/permissions") ? { status: 403, body: "{}" } : null);
		expect((await syncOnce(peer)).puts.map(({ metadata }) => metadata["sharedWith"])).toEqual([undefined]);
	});

	test("notebooks and files that are too large are left out with a remark; shortcuts, empty and infected files without one", async () => {
		const peer = await open({
			"file-of-tides": text("tides"),
			...{ notebook: { kind: "notebook" }, shortcut: { kind: "shortcut" }, empty: text(""), infected: text("evil", { hasMalware: true }) },
			large: text("large", { size: 50 * 1024 * 1024 + 1 }),
		});
		const { keys: read, warnings } = await syncOnce(peer);
		expect([read, warnings]).toEqual([
			keys("file-of-tides"),
			["ONEDRIVE_NOTEBOOKS_SKIPPED: 1 notebooks of OneNote were left out: they are no files", "ONEDRIVE_FILES_SKIPPED: 1 files are too large"],
		]);
	});

	test("download addresses that are not shown, or have expired, are asked for", async () => {
		const peer = await open({ "file-of-tides": text("tides"), "file-of-boats": text("boats") });
		peer.showsDownloads = false;
		expect((await syncOnce(peer)).puts.map(wordsOf).toSorted()).toEqual(["boats", "tides"]);
		peer.showsDownloads = true;
		let isExpired = false;
		peer.trouble = ({ path }) => {
			if (!path.startsWith("/download/") || isExpired) return null;
			isExpired = true;
			return { status: 401 };
		};
		expect((await syncOnce(peer)).puts.map(wordsOf).toSorted()).toEqual(["boats", "tides"]);
	});

	test("it never goes to another host, and no token goes to a download", async () => {
		const [peer, other] = [await open({ "file-of-tides": text("tides") }), await open({ "file-of-tides": text("stolen") })];
		peer.downloadOrigin = other.origin;
		const { keys: read, warnings } = await syncOnce(peer);
		expect([read, warnings.length, other.asked]).toEqual([[], 1, []]);
		expect(warnings[0]).toContain("a host that is not Microsoft's");
		peer.downloadOrigin = null;
		peer.trouble = ({ path }) =>
			path.includes("/delta?") ? { status: 200, body: JSON.stringify({ value: [], "@odata.nextLink": `${other.origin}/v1.0/x` }) } : null;
		expect((await refusalOf(() => syncOnce(peer))).code).toBe("ADDRESS_CHANGED");
		expect(other.asked).toEqual([]);
	});

	test("only hosts on which Microsoft keeps files are downloaded from", () => {
		const good = ["https://contoso-my.sharepoint.com/x", "https://abc.files.1drv.com/y", "https://my.microsoftpersonalcontent.com/z"];
		const bad = [
			"http://contoso.sharepoint.com/x",
			"https://sharepoint.com.evil.example/x",
			"https://evilsharepoint.com/",
			"https://a@contoso.sharepoint.com/",
			"https://contoso.sharepoint.com:444/",
			"",
		];
		expect([good.map((each) => isDownloadAddress(each, null)), bad.map((each) => isDownloadAddress(each, null))]).toEqual([
			good.map(() => true),
			bad.map(() => false),
		]);
	});
});

describe("changes", () => {
	test("what is changed, renamed, moved, new and removed is followed over pages, and nothing else is read again", async () => {
		const peer = await open(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`file-${i}`, text(`words ${i}`)])));
		peer.pageMax = 2;
		const first = await syncOnce(peer);
		peer.put("file-0", { content: "other" });
		peer.put("file-1", { name: "renamed.txt" });
		peer.put("folder", { kind: "folder" });
		peer.put("file-2", { parent: "folder" });
		peer.put("file-new", text("new"));
		peer.remove("file-3");
		const second = await syncOnce(peer, {}, first.cursor);
		expect([first.keys.length, second.keys, second.removed]).toEqual([9, keys("file-0", "file-1", "file-2", "file-new"), keys("file-3")]);
		expect(second.puts.find((put) => put.key === key("file-1"))?.title).toBe("renamed.txt");
		const third = await syncOnce(peer, {}, second.cursor);
		expect([third.keys, third.removed]).toEqual([[], []]);
	});

	test.each([true, false])(
		"a folder that is deleted takes along what is in it, whether that is told (%p) or not, but not what has moved out",
		async (isTold) => {
			const peer = await open({
				...{ folder: { kind: "folder" }, inner: { kind: "folder", parent: "folder" } },
				...{ "file-a": text("a", { parent: "folder" }), "file-b": text("b", { parent: "inner" }), "file-c": text("c", { parent: "inner" }) },
			});
			peer.tellsDescendants = isTold;
			const first = await syncOnce(peer);
			peer.put("file-c", { parent: rootOf(ownDrive) });
			peer.remove("folder");
			const second = await syncOnce(peer, {}, first.cursor);
			expect([first.keys.length, second.keys, second.removed]).toEqual([3, keys("file-c"), keys("file-a", "file-b")]);
		},
	);

	test("a link that Graph no longer knows makes it list again, which reads only what changed and removes what is gone", async () => {
		const peer = await open(Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`file-${i}`, text(`words ${i}`)])));
		peer.pageMax = 2;
		const first = await syncOnce(peer);
		peer.put("file-0", { content: "other" });
		peer.remove("file-1");
		peer.forgetTokens();
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.keys, second.removed]).toEqual([keys("file-0"), keys("file-1")]);
		peer.put("file-2", { content: "other" });
		expect((await syncOnce(peer, {}, second.cursor)).keys).toEqual(keys("file-2"));
	});

	test("what is left out is told once, though everything was listed again in the middle", async () => {
		const peer = await open({ notes: { kind: "notebook" }, "file-a": text("a"), "file-b": text("b") });
		peer.pageMax = 1;
		let asked = 0;
		peer.trouble = ({ path }) => {
			if (path.includes("/delta") && ++asked === 3) peer.forgetTokens();
			return null;
		};
		expect((await syncOnce(peer)).warnings).toEqual([expect.stringContaining("1 notebooks of OneNote")]);
	});

	test("more files than allowed leave those that are there; a place that gets free is taken", async () => {
		const peer = await open({ "file-a": text("a"), "file-b": text("b"), "file-c": text("c") });
		const first = await syncOnce(peer, {}, null, 2);
		peer.put("file-c", { content: "other" });
		const second = await syncOnce(peer, {}, first.cursor, 2);
		peer.remove("file-a");
		const third = await syncOnce(peer, {}, second.cursor, 2);
		const fourth = await syncOnce(peer, {}, third.cursor, 2);
		expect([first.keys, second.keys, third.removed, fourth.keys]).toEqual([keys("file-a", "file-b"), [], keys("file-a"), keys("file-c")]);
	});
});

describe("chosen folders", () => {
	const items: Readonly<Record<string, Partial<PeerItem>>> = {
		...{ tides: { kind: "folder" }, inner: { kind: "folder", parent: "tides" }, boats: { kind: "folder" } },
		...{ "file-a": text("a", { parent: "tides" }), "file-b": text("b", { parent: "inner" }), "file-c": text("c", { parent: "boats" }), "file-d": text("d") },
	};
	const chosen = { folders: key("tides") };

	test("only what lies in them is read; without a choice `selected` reads nothing", async () => {
		const peer = await open(items);
		expect((await syncOnce(peer, chosen)).keys).toEqual(keys("file-a", "file-b"));
		expect((await syncOnce(peer, { syncScope: "selected" })).keys).toEqual([]);
	});

	test("what is moved in comes, with all that is in a folder, and what is moved out goes", async () => {
		const peer = await open(items);
		const first = await syncOnce(peer, chosen);
		peer.put("file-a", { parent: rootOf(ownDrive) });
		peer.put("file-d", { parent: "inner" });
		const second = await syncOnce(peer, chosen, first.cursor);
		expect([second.keys, second.removed]).toEqual([keys("file-d"), keys("file-a")]);
		peer.put("inner", { parent: rootOf(ownDrive) });
		peer.put("boats", { parent: "tides" });
		const third = await syncOnce(peer, chosen, second.cursor);
		expect([third.keys, third.removed]).toEqual([keys("file-c"), keys("file-b", "file-d")]);
		const fourth = await syncOnce(peer, chosen, third.cursor);
		expect([fourth.keys, fourth.removed]).toEqual([[], []]);
	});

	test.each([true, false])(
		"a folder that is moved into a new one, or out of one that is deleted, brings what is in it (told backwards: %p)",
		async (isBackwards) => {
			const peer = await open({ ...items, yard: { kind: "folder" }, boats: { kind: "folder", parent: "yard" }, "file-e": text("e", { parent: "nets" }) });
			peer.put("nets", { kind: "folder" });
			const first = await syncOnce(peer, chosen);
			peer.tellsBackwards = isBackwards;
			peer.put("new", { kind: "folder", parent: "tides" });
			peer.put("nets", { parent: "new" });
			const second = await syncOnce(peer, chosen, first.cursor);
			peer.put("boats", { parent: "tides" });
			peer.remove("yard");
			const third = await syncOnce(peer, chosen, second.cursor);
			expect([first.keys, second.keys, third.keys, third.removed]).toEqual([keys("file-a", "file-b"), keys("file-e"), keys("file-c"), []]);
		},
	);

	test("a folder that is told after what is in it is followed all the same, and a first folder that is not told at all", async () => {
		const peer = await open(items);
		peer.tellsRoot = false;
		peer.pageMax = 1;
		peer.put("tides", { name: "Told last" });
		expect((await syncOnce(peer, chosen)).keys).toEqual(keys("file-a", "file-b"));
	});

	test("libraries of sites are followed beside the own drive; one that is gone, and a folder that is, are told; one that is forbidden or locked keeps its documents", async () => {
		const peer = await open(items);
		peer.put("file-of-harbour", text("harbour"), library);
		const both = { folders: [library, key("tides")] };
		const first = await syncOnce(peer, both);
		expect(first.keys).toEqual([...keys("file-a", "file-b"), key("file-of-harbour", library)]);
		const codesOf = ({ warnings }: { readonly warnings: readonly string[] }) => warnings.map((warning) => warning.split(":")[0]);
		let { cursor } = first;
		for (const status of [403, 423]) {
			peer.trouble = ({ path }) => (path.startsWith(`/v1.0/drives/${library}/`) ? { status, body: "{}" } : null);
			// The other choice makes everything be listed again.
			for (const metadata of [both, { folders: [library, key("boats"), key("tides")] }, both]) {
				const synced = await syncOnce(peer, metadata, cursor);
				expect([synced.removed.includes(key("file-of-harbour", library)), codesOf(synced)]).toEqual([false, ["ONEDRIVE_DRIVE_UNREAD"]]);
				cursor = synced.cursor;
			}
		}
		peer.trouble = null;
		peer.put("file-of-harbour", { content: "other" }, library);
		const read = await syncOnce(peer, both, cursor);
		expect([read.keys, read.removed]).toEqual([[key("file-of-harbour", library)], []]);
		peer.drives.delete(library);
		peer.remove("tides");
		const last = await syncOnce(peer, both, read.cursor);
		expect(last.removed).toEqual([...keys("file-a", "file-b"), key("file-of-harbour", library)]);
		expect(codesOf(last)).toEqual(["ONEDRIVE_DRIVE_MISSING", "ONEDRIVE_FOLDER_MISSING"]);
	});

	test("another choice removes what it leaves out, and keeps the rest unread", async () => {
		const peer = await open(items);
		const first = await syncOnce(peer);
		const second = await syncOnce(peer, { folders: key("boats") }, first.cursor);
		expect([second.keys, second.removed]).toEqual([[], keys("file-a", "file-b", "file-d")]);
	});

	test("they are listed: the own drive and the sites, the libraries of a site, and the folders in each", async () => {
		const peer = await open(items);
		const site = "contoso.sharepoint.example,da60e844-ba1d-49bc-b4d4-d5e36bae9019,712a596e-90a1-49e3-9b48-bfa80bee8740";
		peer.put("file-of-harbour", text("harbour"), library);
		peer.sites.set(site, { name: "Harbour", drives: [library] });
		const list = (...rest: [parent: string | null, metadata?: object, perPage?: number, page?: number]) => resourcesOf(pluginFor(peer), peer, ...rest);
		expect([
			await list(null),
			await list(site),
			await list(ownDrive, {}, 1, 2),
			await list(key("tides")),
			await list("not/a/place"),
			await list(".."),
		]).toMatchObject([
			{
				resources: [
					{ id: ownDrive, name: "OneDrive", type: "drive" },
					{ id: site, name: "Harbour", type: "site" },
				],
				total: 2,
			},
			{ resources: [{ id: library, type: "drive", parent_id: site }], total: 1 },
			{ resources: [{ id: key("tides"), name: "tides", type: "folder", parent_id: ownDrive }], total: 2 },
			{ resources: [{ id: key("inner"), parent_id: key("tides") }], total: 1 },
			{ resources: [], total: 0 },
			{ resources: [], total: 0 },
		]);
		peer.trouble = ({ path }) => (path.startsWith("/v1.0/sites") ? { status: 403, body: "{}" } : null);
		expect((await list(null))?.total).toBe(1);
	});
});

describe("trouble", () => {
	test("a first listing that is ended by a long pause goes on at its page, and loses nothing", async () => {
		const peer = await open(Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`file-${i}`, text(`words ${i}`)])));
		peer.pageMax = 2;
		const connector = await startConnector(pluginFor(peer), createConnectorHost([peer.host]));
		const step = { ...createStep(), accessToken: await signIn(connector) };
		const config = connector.configure({}, 100);
		let pages = 0;
		peer.trouble = ({ path }) => (path.includes("/delta?") && ++pages === 3 ? { status: 503, headers: { "retry-after": "600" }, body: "" } : null);
		let cursor = null as Parameters<typeof connector.sync>[1];
		const refusal = await refusalOf(async () => {
			for await (const change of connector.sync(config, null, step)) cursor = change.cursor();
		});
		expect([refusal.code, refusal.retryAfterMs]).toEqual(["ADDRESS_FAILED", 600_000]);
		const asked = peer.asked.length;
		expect((await syncOnce(peer, {}, cursor)).keys.length).toBe(6);
		expect(peer.asked.slice(asked).filter((path) => path.includes("/delta?")).length).toBe(1);
	});

	test("throttling is waited out as long as Graph asks; a file that fails for good keeps none of the others", async () => {
		const peer = await open(Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`file-${i}`, text(`words ${i}`)])));
		let throttled = 0;
		peer.trouble = ({ path }) => {
			if (path.endsWith("/file-3")) return { status: 500, body: "" };
			if (path.endsWith("/file-5") && throttled++ === 0) return { status: 429, headers: { "retry-after": "20" }, body: "" };
			return null;
		};
		const { keys: read, warnings, pauses } = await syncOnce(peer);
		expect([read.length, warnings, pauses.includes(20_000)]).toEqual([6, [expect.stringContaining("status 500")], true]);
	});

	test("a long pause that a download is asked for is kept, and nothing is asked before", async () => {
		const peer = await open(Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`file-${i}`, text(`words ${i}`)])));
		let downloads = 0;
		peer.trouble = ({ path }) => {
			if (!path.includes("tempauth")) return null;
			downloads++;
			return { status: 429, headers: { "retry-after": "120" }, body: "" };
		};
		expect([await refusalOf(() => syncOnce(peer)), downloads]).toMatchObject([{ code: "ADDRESS_FAILED", retryAfterMs: 120_000 }, 1]);
	});

	test("a token that is refused is renewed once; a sign-in that was revoked is told as that", async () => {
		const peer = await open({ "file-a": text("a"), "file-b": text("b") });
		expect(await syncWithRefusals(pluginFor(peer), peer)).toEqual({ keys: keys("file-a", "file-b"), refreshes: 1, code: "CONNECTION_UNAUTHORIZED" });
	});

	test("an account without OneDrive is told as that", async () => {
		const peer = await open();
		peer.trouble = ({ path }) => (path.startsWith("/v1.0/me/drive") ? { status: 404, body: "{}" } : null);
		expect((await refusalOf(() => syncOnce(peer))).code).toBe("CONNECTION_SOURCE_MISSING");
	});
});

test("its settings stand for one another; the tenant is one of them", () => {
	const configure = onedrive().configure;
	const given = (settings: Record<string, string>) => configure?.({}, { settings, modelsDir: "", modelTimeoutMs: 1, use: {} });
	expect(given({})).toBeNull();
	expect(() => given({ CAIRN_OAUTH_MICROSOFT_ID: "id" })).toThrow("CAIRN_OAUTH_MICROSOFT_SECRET");
	expect(given({ CAIRN_OAUTH_MICROSOFT_ID: "id", CAIRN_OAUTH_MICROSOFT_SECRET: "s", CAIRN_OAUTH_MICROSOFT_TENANT: "contoso.example" })).toEqual({
		options: { clientId: "id", clientSecret: "s", tenant: "contoso.example" },
	});
});
