import { afterEach, describe, expect, test } from "bun:test";
import { limits, type ServiceError } from "cairn-memory";
import googleDrive from "../../../plugins/connectors/google-drive/index.ts";
import { connectorContract } from "../../contract/connector-contract.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { docType, folderType, type GooglePeer, type PeerFile, peerRoot, startGooglePeer } from "../../doubles/google-peer.ts";
import { attempt, callbackOf, redirectUri, signIn, signInOf } from "../../doubles/sign-in.ts";
import { createStep } from "../../doubles/step.ts";
import { signedInScene, syncSignedIn, syncWithRefusals } from "./signed-in.ts";
import { refusalOf } from "./sync-once.ts";

const peers: GooglePeer[] = [];
afterEach(() => {
	for (const peer of peers.splice(0)) peer.close();
});

async function open(files: Readonly<Record<string, Partial<PeerFile>>> = {}): Promise<GooglePeer> {
	const peer = await startGooglePeer(files);
	peers.push(peer);
	return peer;
}

const pluginFor = ({ endpoint, oauth: { clientId, clientSecret } }: Pick<GooglePeer, "endpoint" | "oauth">) =>
	googleDrive({ clientId, clientSecret, endpoint });

const syncOnce = (peer: GooglePeer, ...rest: Rest) => syncSignedIn(pluginFor(peer), peer, ...rest);
type Rest = Parameters<typeof syncSignedIn> extends [unknown, unknown, ...infer Others] ? Others : never;

const text = (content: string, more: Partial<PeerFile> = {}): Partial<PeerFile> => ({ name: `${content.split(" ")[0]}.txt`, content, ...more });

async function scene() {
	const files = { "file-of-tides": text("words of tides"), "file-of-boats": text("words of boats"), "file-of-ropes": text("words of ropes") };
	const peer = await startGooglePeer(files);
	return signedInScene(peer, pluginFor(peer), {
		nonsense: [
			{ metadata: { syncScope: "some" }, key: "syncScope" },
			{ metadata: { folders: "a folder/with slashes" }, key: "folders" },
			{ metadata: { folders: 7 }, key: "folders" },
			{ metadata: { folders: Array.from({ length: 201 }, (_, i) => `folder-${i}`) }, key: "folders" },
		],
		there: () => new Map([...peer.files].map(([id, { content }]) => [id, String(content)] as const)),
		change: async () => {
			peer.put("file-of-tides", { content: "other words of tides", modifiedTime: "2026-04-01T10:00:00.000Z" });
			peer.put("file-of-nets", text("words of nets"));
			peer.remove("file-of-boats");
		},
	});
}

const options = { clientId: "client", clientSecret: "secret-of-the-client" };
for (const contractTest of [...pluginContract(() => googleDrive(options)), ...connectorContract(scene)]) test(contractTest.name, contractTest.check);

describe("sign-in", () => {
	test("the link asks for reading Drive and for a refresh token, with a challenge in place of the verifier", async () => {
		const peer = await open();
		const connector = await startConnector(pluginFor(peer), createConnectorHost([peer.host]));
		const { searchParams, pathname } = new URL(await signInOf(connector).begin({ ...attempt, accountHint: "ada@example.com" }));
		expect([pathname, Object.fromEntries(searchParams)]).toEqual([
			"/o/oauth2/v2/auth",
			{
				...{ client_id: peer.oauth.clientId, response_type: "code", redirect_uri: redirectUri, state: attempt.state, login_hint: "ada@example.com" },
				...{ scope: "https://www.googleapis.com/auth/drive.readonly", access_type: "offline", prompt: "consent" },
				...{ code_challenge: expect.stringMatching(/^[\w-]{43}$/), code_challenge_method: "S256" },
			},
		]);
	});

	test("it gives credentials and who has signed in; a refresh keeps a refresh token that is not replaced", async () => {
		const peer = await open();
		const connector = await startConnector(pluginFor(peer), createConnectorHost([peer.host]));
		const { credentials, account } = await signInOf(connector).finish(attempt, await callbackOf(connector), createStep());
		expect(account).toEqual({ id: "10297845", address: "ada@example.com" });
		expect(Date.parse(credentials.expiresAt ?? "")).toBeGreaterThan(Date.now() + 3_000_000);
		const next = await signInOf(connector).refresh(credentials, createStep());
		expect([next.refreshToken, next.accessToken === credentials.accessToken]).toEqual([credentials.refreshToken, false]);
		peer.oauth.rotates = true;
		expect((await signInOf(connector).refresh(next, createStep())).refreshToken).not.toBe(credentials.refreshToken);
		// The replaced one is used again, which ends the sign-in.
		expect((await refusalOf(() => signInOf(connector).refresh(next, createStep()))).code).toBe("CONNECTION_UNAUTHORIZED");
		expect(peer.oauth.liveGrants()).toBe(0);
	});

	test("a revoked sign-in is no longer valid anywhere", async () => {
		const peer = await open();
		const connector = await startConnector(pluginFor(peer), createConnectorHost([peer.host]));
		const { credentials } = await signInOf(connector).finish(attempt, await callbackOf(connector), createStep());
		await signInOf(connector).revoke(credentials, createStep());
		expect([peer.oauth.liveGrants(), peer.oauth.isAccepted(credentials.accessToken)]).toEqual([0, false]);
	});

	test("who denies, who allows too little, another state, another verifier and another client are told apart, without secrets", async () => {
		const peer = await open();
		const connector = await startConnector(pluginFor(peer), createConnectorHost([peer.host]));
		const finish = (callback: URLSearchParams, more: Partial<typeof attempt> = {}, by = connector) =>
			refusalOf(() => signInOf(by).finish({ ...attempt, ...more }, callback, createStep()));
		const good = await callbackOf(connector);
		const errors: ServiceError[] = [await finish(good, { state: "another" }), await finish(good, { verifier: "w".repeat(43) })];
		peer.oauth.person = "denies";
		errors.push(await finish(await callbackOf(connector)));
		peer.oauth.person = "allows nothing";
		errors.push(await finish(await callbackOf(connector)));
		peer.oauth.person = "allows";
		const stranger = await startConnector(
			googleDrive({ ...options, clientId: peer.oauth.clientId, endpoint: peer.endpoint }),
			createConnectorHost([peer.host]),
		);
		errors.push(await finish(await callbackOf(connector), {}, stranger));
		expect(errors.map(({ code, args }) => [code, args.at(-1)])).toEqual([
			["ADDRESS_CHANGED", expect.stringContaining("state")],
			["SIGN_IN_REFUSED", "invalid_grant: Invalid code verifier."],
			["SIGN_IN_REFUSED", "access_denied"],
			["SIGN_IN_REFUSED", "it was not allowed to https://www.googleapis.com/auth/drive.readonly"],
			["CONNECTION_CLIENT_REFUSED", "invalid_client: The OAuth client was not found."],
		]);
		const told = JSON.stringify(errors.map((error) => [error.message, error.args, String(error.cause)]));
		for (const secret of peer.oauth.secrets) expect(told).not.toContain(secret);
	});
});

describe("files", () => {
	test("a file comes with its name, its page, its owners and whom it is shared with", async () => {
		const permissions = [
			{ type: "user", emailAddress: "ada@example.com" },
			{ type: "user", emailAddress: "ben@example.com" },
			{ type: "domain", domain: "example.org" },
			{ type: "anyone" },
		];
		const peer = await open({ "file-of-tides": { ...text("High water"), name: "Tides.txt", permissions } });
		const url = "https://drive.example/file/d/file-of-tides/view";
		expect((await syncOnce(peer)).puts).toEqual([
			{
				key: "file-of-tides",
				content: { kind: "file", bytes: expect.anything(), fileName: "Tides.txt", claimedMediaType: "text/plain", charset: null, address: url } as never,
				title: "Tides.txt",
				metadata: {
					...{ author: "Ada", owners: "ada@example.com", sharedWith: "ben@example.com, example.org, anyone", modifiedBy: "ada@example.com" },
					...{ createdAt: "2026-01-01T09:00:00.000Z", updatedAt: "2026-03-01T10:00:00.000Z", url },
				},
				containerTag: null,
			},
		]);
	});

	test("native documents are exported, a too large one as plain text, and what cannot be exported is left out", async () => {
		const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
		const sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
		const peer = await open({
			"doc-of-tides": { name: "Tides", mimeType: docType, content: { [word]: "docx", "text/plain": "plain" } },
			"doc-of-boats": { name: "Boats", mimeType: docType, content: { [word]: "x".repeat(101), "text/plain": "plain boats" } },
			"sheet-of-ropes": { name: "Ropes", mimeType: "application/vnd.google-apps.spreadsheet", content: { [sheet]: "x".repeat(101) } },
			"sheet-of-nets": { name: "Nets", mimeType: "application/vnd.google-apps.spreadsheet", content: { [sheet]: "xlsx" } },
			"form-of-fees": { name: "Fees", mimeType: "application/vnd.google-apps.form", content: {} },
			"file-that-is-empty": text(""),
		});
		peer.exportMax = 100;
		const { puts, warnings } = await syncOnce(peer);
		const read = puts.map(({ content }) => (content.kind === "file" ? [content.fileName, new TextDecoder().decode(content.bytes)] : []));
		expect(read.sort()).toEqual([
			["Boats.txt", "plain boats"],
			["Nets.xlsx", "xlsx"],
			["Tides.docx", "docx"],
		]);
		expect(warnings).toEqual(['GOOGLE_DRIVE_FILE_FAILED: "Ropes" is not handed out: Google exports at most 10 MB']);
	});

	test("files that their owners do not hand out keep none of the others, however many they are, and are tried again", async () => {
		const locked = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`locked-${i}xx`, text(`locked ${i}`, { canDownload: false })]));
		const peer = await open({ ...locked, "file-of-tides": text("tides") });
		peer.troubles.push({ path: "/files/file-of-boats", status: 403, reason: "cannotDownloadAbusiveFile" });
		peer.put("file-of-boats", text("boats"));
		const first = await syncOnce(peer);
		expect([first.keys, first.warnings.length]).toEqual([["file-of-tides"], 9]);
		peer.troubles.length = 0;
		expect((await syncOnce(peer, {}, first.cursor)).keys).toEqual(["file-of-boats"]);
	});

	test("the connection has as many documents as it may, and others take the place of what is gone", async () => {
		const peer = await open(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`file-number-${i}`, text(`words ${i}`)])));
		const first = await syncOnce(peer, {}, null, 4);
		peer.put("file-number-9", text("words 9"));
		const second = await syncOnce(peer, {}, first.cursor, 4);
		expect([first.keys.length, second.keys, second.removed]).toEqual([4, [], []]);
		peer.remove(first.keys[0] ?? "");
		const third = await syncOnce(peer, {}, second.cursor, 4);
		expect([third.removed, third.keys.length]).toEqual([[first.keys[0] ?? ""], 1]);
	});
});

describe("changes", () => {
	test("new, changed, renamed, moved to the bin and removed files are told by the change log, without listing again", async () => {
		const peer = await open({ "file-aaaa": text("a"), "file-bbbb": text("b"), "file-cccc": text("c"), "file-dddd": text("d"), "file-eeee": text("e") });
		peer.pageMax = 2;
		const { cursor } = await syncOnce(peer);
		peer.asked.length = 0;
		peer.put("file-aaaa", { content: "other", modifiedTime: "2026-05-01T10:00:00.000Z" });
		peer.put("file-bbbb", { name: "renamed.txt" });
		peer.put("file-ffff", text("f"));
		// Only looked at: it is in the log, and says nothing new.
		peer.put("file-eeee", {});
		peer.trash("file-cccc");
		peer.remove("file-dddd");
		const after = await syncOnce(peer, {}, cursor);
		expect([after.keys, after.removed]).toEqual([
			["file-aaaa", "file-bbbb", "file-ffff"],
			["file-cccc", "file-dddd"],
		]);
		expect(after.puts.find(({ key }) => key === "file-bbbb")?.title).toBe("renamed.txt");
		expect(peer.asked.filter((path) => path.startsWith("/drive/v3/files?"))).toEqual([]);
		peer.put("file-cccc", { trashed: false });
		expect((await syncOnce(peer, {}, after.cursor)).keys).toEqual(["file-cccc"]);
	});

	test("a folder that is moved to the bin or deleted takes what lies in it along", async () => {
		const inside = { parents: ["folder-of-tides"] };
		const peer = await open({
			"folder-of-tides": { name: "Tides", mimeType: folderType },
			...{ "file-aaaa": text("a", inside), "file-bbbb": text("b", inside), "file-cccc": text("c") },
		});
		const { cursor } = await syncOnce(peer);
		peer.trash("folder-of-tides");
		const trashed = await syncOnce(peer, {}, cursor);
		expect(trashed.removed.toSorted()).toEqual(["file-aaaa", "file-bbbb"]);
		peer.put("folder-of-boats", { name: "Boats", mimeType: folderType });
		peer.put("file-dddd", text("d", { parents: ["folder-of-boats"] }));
		const added = await syncOnce(peer, {}, trashed.cursor);
		peer.remove("folder-of-boats");
		expect([added.keys, (await syncOnce(peer, {}, added.cursor)).removed]).toEqual([["file-dddd"], ["file-dddd"]]);
	});

	test("shared drives are followed by logs of their own; one that the account leaves takes its files along", async () => {
		const peer = await open({ "file-aaaa": text("a"), "file-cccc": text("c") });
		peer.drives.set("drive-of-harbour", "Harbour");
		peer.put("file-bbbb", text("b", { driveId: "drive-of-harbour", parents: ["drive-of-harbour"] }));
		const first = await syncOnce(peer);
		expect(first.keys).toEqual(["file-aaaa", "file-bbbb", "file-cccc"]);
		expect(first.puts.find(({ key }) => key === "file-bbbb")?.metadata).toMatchObject({ sharedDrive: "drive-of-harbour", modifiedBy: "ada@example.com" });
		peer.put("file-bbbb", { content: "other", driveId: "drive-of-harbour" });
		const second = await syncOnce(peer, {}, first.cursor);
		// It moves to the shared drive and stays the same document.
		peer.put("file-aaaa", { driveId: "drive-of-harbour", parents: ["drive-of-harbour"] });
		const third = await syncOnce(peer, {}, second.cursor);
		expect([second.keys, second.removed, third.keys, third.removed]).toEqual([["file-bbbb"], [], ["file-aaaa"], []]);
		peer.drives.delete("drive-of-harbour");
		expect((await syncOnce(peer, {}, third.cursor)).removed.toSorted()).toEqual(["file-aaaa", "file-bbbb"]);
	});

	test("page tokens that Drive no longer knows make it list again, which brings only what changed", async () => {
		const peer = await open({ "file-aaaa": text("a"), "file-bbbb": text("b") });
		const { cursor } = await syncOnce(peer);
		peer.put("file-bbbb", { content: "other" });
		peer.forgetTokens();
		const after = await syncOnce(peer, {}, cursor);
		peer.put("file-aaaa", { content: "other" });
		expect([after.keys, after.removed, (await syncOnce(peer, {}, after.cursor)).keys]).toEqual([["file-bbbb"], [], ["file-aaaa"]]);
	});
});

test("a file that is too large, or grows to be, is left out with a remark", async () => {
	const large = new Uint8Array(limits.fileBytesMax + 1);
	const peer = await open({ "file-aaaa": text("a"), "file-bbbb": { content: large } });
	const told = ["GOOGLE_DRIVE_FILES_SKIPPED: 1 files are too large"];
	const first = await syncOnce(peer);
	expect([first.keys, first.warnings]).toEqual([["file-aaaa"], told]);
	peer.put("file-aaaa", { content: large });
	const second = await syncOnce(peer, {}, first.cursor);
	expect([second.removed, second.warnings]).toEqual([["file-aaaa"], told]);
});

describe("chosen folders", () => {
	const files = {
		"folder-of-tides": { name: "Tides", mimeType: folderType },
		"folder-of-2026": { name: "2026", mimeType: folderType, parents: ["folder-of-tides"] },
		"folder-of-boats": { name: "Boats", mimeType: folderType },
		"file-aaaa": text("a", { parents: ["folder-of-tides"] }),
		"file-bbbb": text("b", { parents: ["folder-of-2026"] }),
		"file-cccc": text("c", { parents: ["folder-of-boats"] }),
		"file-dddd": text("d"),
	};
	const chosen = { folders: "folder-of-tides" };

	test("only what lies in them is read; without a choice `selected` reads nothing", async () => {
		const peer = await open(files);
		expect((await syncOnce(peer, chosen)).keys).toEqual(["file-aaaa", "file-bbbb"]);
		expect((await syncOnce(peer, { syncScope: "selected" })).keys).toEqual([]);
	});

	test("what was in a chosen folder that is gone goes, though the other chosen one is empty", async () => {
		const peer = await open({ ...files, "folder-of-nets": { name: "Nets", mimeType: folderType } });
		const both = { folders: "folder-of-boats, folder-of-nets" };
		const first = await syncOnce(peer, both);
		peer.remove("folder-of-boats");
		expect([first.keys, (await syncOnce(peer, both, first.cursor)).removed]).toEqual([["file-cccc"], ["file-cccc"]]);
	});

	test("a list of many folders that is not there, because one of them is gone, removes nothing of the others, nor what changes in them", async () => {
		const peer = await open(files);
		const first = await syncOnce(peer, chosen);
		peer.forgetTokens();
		peer.troubles.push({ path: "/files?", status: 404, reason: "notFound", times: 1 });
		const second = await syncOnce(peer, chosen, first.cursor);
		// Its folder was on that list.
		peer.put("file-bbbb", { content: "other" });
		const third = await syncOnce(peer, chosen, second.cursor);
		expect([second.removed, third.keys, third.removed]).toEqual([[], ["file-bbbb"], []]);
	});

	test("what Drive leaves out of an incomplete search comes with the next sync, and what it leaves out and has stays", async () => {
		const peer = await open(files);
		const first = await syncOnce(peer, chosen);
		peer.forgetTokens();
		peer.put("file-eeee", text("e", { parents: ["folder-of-2026"] }));
		peer.forgetTokens();
		peer.remove("file-aaaa");
		for (const id of ["folder-of-2026", "file-eeee"]) peer.unsearched.add(id);
		const second = await syncOnce(peer, chosen, first.cursor);
		expect(second.removed).toEqual(["file-aaaa"]);
		peer.unsearched.clear();
		const third = await syncOnce(peer, chosen, second.cursor);
		expect([third.keys, third.removed]).toEqual([["file-eeee"], []]);
	});

	test("a chosen folder that cannot be listed, in a shared drive that the account has left, keeps its files; others still go, and nothing is listed or read in vain", async () => {
		const place = { driveId: "drive-of-harbour" };
		const peer = await open({ ...files, "folder-of-nets": { name: "Nets", mimeType: folderType, ...place, parents: ["drive-of-harbour"] } });
		peer.drives.set("drive-of-harbour", "Harbour");
		peer.put("file-eeee", text("e", { ...place, parents: ["folder-of-nets"] }));
		const both = { folders: "folder-of-tides, folder-of-nets" };
		const first = await syncOnce(peer, both);
		peer.drives.delete("drive-of-harbour");
		const second = await syncOnce(peer, both, first.cursor);
		expect([first.keys, second.keys, second.removed]).toEqual([["file-aaaa", "file-bbbb", "file-eeee"], [], []]);
		expect(second.warnings).toEqual([expect.stringMatching(/^GOOGLE_DRIVE_FOLDER_MISSING/)]);
		peer.asked.length = 0;
		const third = await syncOnce(peer, both, second.cursor);
		const inVain = peer.asked.filter((path) => path.includes("/files"));
		expect([third.keys, third.removed, inVain]).toEqual([[], [], []]);
		peer.put("folder-of-2026", { parents: [peerRoot] });
		expect((await syncOnce(peer, both, third.cursor)).removed).toEqual(["file-bbbb"]);
	});

	test("a file that is changed after an incomplete search has left out its folder stays, and so does one to whose folder a shortcut leads", async () => {
		const link = { mimeType: "application/vnd.google-apps.shortcut", target: "folder-of-boats", parents: ["folder-of-tides"] };
		const peer = await open({ ...files, "link-to-boats": link });
		const first = await syncOnce(peer, chosen);
		peer.forgetTokens();
		for (const id of ["folder-of-2026", "link-to-boats"]) peer.unsearched.add(id);
		peer.asked.length = 0;
		const second = await syncOnce(peer, chosen, first.cursor);
		expect([second.keys, second.removed, peer.asked.filter((path) => path.includes("alt=media"))]).toEqual([[], [], []]);
		peer.put("file-bbbb", { content: "other" });
		peer.put("file-cccc", { content: "other" });
		peer.unsearched.clear();
		const third = await syncOnce(peer, chosen, second.cursor);
		expect([third.keys, third.removed]).toEqual([["file-bbbb", "file-cccc"], []]);
	});

	test("files and folders that are moved in come, and those that are moved out go", async () => {
		const peer = await open(files);
		const first = await syncOnce(peer, chosen);
		peer.put("file-aaaa", { parents: [peerRoot] });
		peer.put("file-dddd", { parents: ["folder-of-2026"] });
		const second = await syncOnce(peer, chosen, first.cursor);
		expect([second.keys, second.removed]).toEqual([["file-dddd"], ["file-aaaa"]]);
		peer.put("folder-of-2026", { parents: [peerRoot] });
		peer.put("folder-of-boats", { parents: ["folder-of-tides"] });
		const third = await syncOnce(peer, chosen, second.cursor);
		expect([third.keys, third.removed.toSorted()]).toEqual([["file-cccc"], ["file-bbbb", "file-dddd"]]);
	});

	test("a chosen folder in a shared drive is followed, and one that is gone is told", async () => {
		const peer = await open();
		peer.drives.set("drive-of-harbour", "Harbour");
		const place = { driveId: "drive-of-harbour" };
		peer.put("folder-of-tides", { name: "Tides", mimeType: folderType, parents: ["drive-of-harbour"], ...place });
		peer.put("file-aaaa", text("a", { parents: ["folder-of-tides"], ...place }));
		const first = await syncOnce(peer, chosen);
		peer.put("file-aaaa", { content: "other" });
		const second = await syncOnce(peer, chosen, first.cursor);
		peer.trash("folder-of-tides");
		const third = await syncOnce(peer, chosen, second.cursor);
		expect([first.keys, second.keys, third.removed]).toEqual([["file-aaaa"], ["file-aaaa"], ["file-aaaa"]]);
		expect(third.warnings).toEqual(["GOOGLE_DRIVE_FOLDER_MISSING: the folder Tides is gone, or its account may no longer see it"]);
	});

	test("a shortcut in a chosen folder stands for the file or the folder to which it leads, once", async () => {
		const shortcut = (target: string) => ({ mimeType: "application/vnd.google-apps.shortcut", target, parents: ["folder-of-tides"] });
		const peer = await open({
			...files,
			"link-to-dddd": shortcut("file-dddd"),
			"link-to-aaaa": shortcut("file-aaaa"),
			"link-to-boats": shortcut("folder-of-boats"),
		});
		const first = await syncOnce(peer, chosen);
		expect(first.keys).toEqual(["file-aaaa", "file-bbbb", "file-cccc", "file-dddd"]);
		peer.put("file-dddd", { content: "other" });
		const second = await syncOnce(peer, chosen, first.cursor);
		peer.remove("link-to-dddd");
		peer.remove("link-to-aaaa");
		const third = await syncOnce(peer, chosen, second.cursor);
		expect([second.keys, third.removed]).toEqual([["file-dddd"], ["file-dddd"]]);
	});

	test("another choice removes what it leaves out, and keeps the rest unread", async () => {
		const peer = await open(files);
		const first = await syncOnce(peer);
		const second = await syncOnce(peer, { folders: "folder-of-boats" }, first.cursor);
		expect([first.keys.length, second.keys, second.removed.toSorted()]).toEqual([4, [], ["file-aaaa", "file-bbbb", "file-dddd"]]);
	});

	test("they are listed: My Drive, the shared drives, and the folders in each", async () => {
		const peer = await open(files);
		peer.drives.set("drive-of-harbour", "Harbour");
		const connector = await startConnector(pluginFor(peer), createConnectorHost([peer.host]));
		const step = { ...createStep(), accessToken: await signIn(connector) };
		const list = (parent: string | null, page = 1) => connector.resources?.list(connector.configure({}, 10), { page, perPage: 1, parent }, step);
		expect([await list(null), await list(null, 2), await list("folder-of-tides"), await list("not there")]).toEqual([
			{ resources: [{ id: peerRoot, name: "My Drive", type: "my_drive" }], total: 2 },
			{ resources: [{ id: "drive-of-harbour", name: "Harbour", type: "shared_drive" }], total: 2 },
			{ resources: [{ id: "folder-of-2026", name: "2026", type: "folder", parent_id: "folder-of-tides" }], total: 1 },
			{ resources: [], total: 0 },
		]);
		const config = connector.resources?.choose(connector.configure({}, 10), [{ id: "folder-of-tides", name: "Tides" }]);
		expect(config).toEqual({ syncScope: "selected", folders: ["folder-of-tides"], documentsMax: 10 });
		expect((await refusalOf(() => connector.resources?.choose(connector.configure({}, 10), [{ name: "Tides" }]))).code).toBe("CONNECTION_INVALID");
	});
});

describe("trouble", () => {
	test("limits and failures are waited out, longer each time, and as long as Drive asks", async () => {
		const peer = await open({ "file-of-tides": text("tides") });
		peer.troubles.push(
			{ path: "alt=media", status: 403, reason: "userRateLimitExceeded", times: 1 },
			{ path: "alt=media", status: 429, headers: { "retry-after": "20" }, times: 1 },
			{ path: "alt=media", status: 503, times: 1 },
		);
		const { keys, pauses, warnings } = await syncOnce(peer);
		expect([keys, warnings]).toEqual([["file-of-tides"], []]);
		const [afterFirst = 0, asAsked, afterThird = 0] = pauses;
		expect([afterFirst >= 1_000 && afterFirst < 2_000, asAsked, afterThird >= 4_000 && afterThird < 8_000, pauses.length]).toEqual([true, 20_000, true, 3]);
	});

	test("a longer pause ends the sync, which goes on after it and loses nothing", async () => {
		const peer = await open({ "file-of-tides": text("tides") });
		peer.troubles.push({ path: "alt=media", status: 429, headers: { "retry-after": "600" }, times: 1 });
		const refusal = await refusalOf(() => syncOnce(peer));
		expect([refusal.code, refusal.retryAfterMs]).toEqual(["ADDRESS_FAILED", 600_000]);
		expect((await syncOnce(peer)).keys).toEqual(["file-of-tides"]);
	});

	test("a file that fails for good keeps none of the others; when all fail, the sync does", async () => {
		const many = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`file-number-${i}`, text(`words ${i}`)]));
		const peer = await open(many);
		peer.troubles.push({ path: "/files/file-number-3?alt", status: 500 });
		const { keys, warnings } = await syncOnce(peer);
		expect([keys.length, warnings]).toEqual([6, [expect.stringContaining("status 500")]]);
		peer.troubles.push({ path: "alt=media", status: 500 });
		expect((await refusalOf(() => syncOnce(peer))).code).toBe("ADDRESS_FAILED");
	});

	test("a list of shared drives that is not there removes none of their files, and is told", async () => {
		const peer = await open({ "file-of-tides": text("tides") });
		peer.drives.set("drive-of-harbour", "Harbour");
		peer.put("file-of-boats", text("boats", { driveId: "drive-of-harbour", parents: ["drive-of-harbour"] }));
		const { cursor } = await syncOnce(peer);
		peer.forgetTokens();
		peer.troubles.push({ path: "/drives?", status: 404, reason: "notFound", times: 1 });
		expect((await refusalOf(() => syncOnce(peer, {}, cursor))).code).toBe("ADDRESS_CHANGED");
		expect((await syncOnce(peer, {}, cursor)).removed).toEqual([]);
	});

	test("an access token that is refused is renewed once; a sign-in that was revoked is told as that", async () => {
		const peer = await open({ "file-of-tides": text("tides"), "file-of-boats": text("boats") });
		expect(await syncWithRefusals(pluginFor(peer), peer)).toEqual({
			...{ keys: ["file-of-boats", "file-of-tides"], refreshes: 1, code: "CONNECTION_UNAUTHORIZED" },
		});
	});

	test("a project without Drive, and a token that may not read it, are told apart", async () => {
		const peer = await open();
		peer.troubles.push(
			{ path: "/about", status: 403, reason: "accessNotConfigured", times: 1 },
			{ path: "/about", status: 403, reason: "insufficientPermissions", times: 1 },
		);
		const codes = [(await refusalOf(() => syncOnce(peer))).code, (await refusalOf(() => syncOnce(peer))).code];
		expect(codes).toEqual(["CONNECTION_CLIENT_REFUSED", "CONNECTION_FORBIDDEN"]);
	});

	test("it never goes to another host, and no token with it", async () => {
		const peer = await open({ "file-of-tides": text("tides") });
		const other = await open();
		peer.troubles.push({ path: "alt=media", status: 302, headers: { location: `${other.endpoint}/stolen` } });
		const { keys, warnings } = await syncOnce(peer);
		expect([keys, warnings, other.asked]).toEqual([[], [expect.stringContaining("it leads elsewhere, with status 302")], []]);
	});
});

test("its settings stand for one another: without both it is not there", () => {
	const configure = googleDrive().configure;
	const given = (settings: Record<string, string | null>) => () => configure?.({}, { settings, modelsDir: "", modelTimeoutMs: 1, use: {} });
	const unset = { CAIRN_OAUTH_GOOGLE_ID: null, CAIRN_OAUTH_GOOGLE_SECRET: null, CAIRN_OAUTH_GOOGLE_URL: null };
	expect(given(unset)()).toBeNull();
	expect(given({ ...unset, CAIRN_OAUTH_GOOGLE_ID: "id" })).toThrow("CAIRN_OAUTH_GOOGLE_SECRET");
	expect(given({ ...unset, CAIRN_OAUTH_GOOGLE_SECRET: "secret" })).toThrow("CAIRN_OAUTH_GOOGLE_ID");
	expect(given({ ...unset, CAIRN_OAUTH_GOOGLE_ID: "id", CAIRN_OAUTH_GOOGLE_SECRET: "s" })()).toEqual({ options: { clientId: "id", clientSecret: "s" } });
});
