/** Google Drive by the npm package `supermemory` and a browser, against a small Google on this machine: sign-in, faults, changes, a revoked sign-in, and another one. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type Supermemory from "supermemory";
import { APIError, BadRequestError } from "supermemory";
import { bytesIn } from "../doubles/folder-bytes.ts";
import { docType, folderType, type GooglePeer, peerRoot, startGooglePeer } from "../doubles/google-peer.ts";
import { docxOf, wordParagraph } from "../doubles/office-files.ts";
import { type OfficialClient, startOfficialClient, thrownBy } from "../doubles/official-client.ts";
import { until } from "../doubles/until.ts";
import { browse, byUrl, connected } from "./connected.ts";

const files = 120;
const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const tides = "High water comes twice a day.";
let peer: GooglePeer;
let official: OfficialClient;
let client: Supermemory;

beforeAll(async () => {
	peer = await startGooglePeer(
		Object.fromEntries(Array.from({ length: files }, (_, i) => [`file-number-${i}`, { name: `Crate ${i}.txt`, content: `Crate ${i} holds q${i}z.` }])),
	);
	peer.oauth.rotates = true;
	peer.pageMax = 50;
	official = await startOfficialClient({
		CAIRN_OAUTH_GOOGLE_ID: peer.oauth.clientId,
		CAIRN_OAUTH_GOOGLE_SECRET: peer.oauth.clientSecret,
		CAIRN_OAUTH_GOOGLE_URL: peer.endpoint,
		CAIRN_REDIRECT_ORIGINS: "https://app.example.com",
		CAIRN_LOG_LEVEL: "debug",
	});
	client = official.client;
	peer.oauth.redirectUris.add(`${official.server.address}/v3/connections/auth/callback/google-drive`);
});
afterAll(async () => {
	await official.dispose();
	peer.close();
});

const containerTags = ["crates"];
const app = "https://app.example.com/done?tab=drive";
const create = (redirectUrl?: string) => client.connections.create("google-drive", { containerTags, ...(redirectUrl !== undefined && { redirectUrl }) });

/** Texts by address, as Drive has them. */
const there = () =>
	new Map(
		[...peer.files]
			.filter(([, { trashed, mimeType, canDownload }]) => trashed !== true && mimeType !== folderType && canDownload !== false)
			.map(([id, { content }]) => [`https://drive.example/file/d/${id}/view`, typeof content === "string" ? content : tides]),
	);

const { documents, same, shown, ended, remarks } = connected(() => official, containerTags, there);

test("a page that is not allowed, an unknown sign-in and a refusal leave nothing behind", async () => {
	expect(await thrownBy(create("https://evil.example/"))).toBeInstanceOf(BadRequestError);
	expect(await thrownBy(create("https://app.example.com@evil.example/"))).toBeInstanceOf(BadRequestError);
	expect(await thrownBy(create("javascript:alert(1)"))).toBeInstanceOf(BadRequestError);
	const unknown = await fetch(`${official.server.address}/v3/connections/auth/callback/google-drive?state=x&code=y`);
	expect([unknown.status, unknown.headers.get("content-type"), await unknown.text()]).toEqual([
		400,
		"text/html; charset=utf-8",
		expect.stringContaining("expired"),
	]);
	peer.oauth.person = "denies";
	const denied = await browse((await create(app)).authLink);
	const { origin, searchParams } = new URL(denied.headers.get("location") ?? "");
	expect([denied.status, origin, Object.fromEntries(searchParams)]).toEqual([
		302,
		"https://app.example.com",
		{ tab: "drive", error: "SIGN_IN_REFUSED", error_description: expect.stringContaining("access_denied") },
	]);
	const told = await browse((await create()).authLink);
	expect([told.status, await told.text()]).toEqual([403, expect.stringContaining("You are not signed in")]);
	peer.oauth.person = "allows";
	expect(await client.connections.list({})).toEqual([]);
});

test("sign in, sync with faults, change, rename, move, remove, revoke, sign in again", async () => {
	peer.troubles.push(
		{ path: "/drive/v3/files?", status: 403, reason: "userRateLimitExceeded", times: 1 },
		{ path: "alt=media", status: 429, reason: "rateLimitExceeded", headers: { "retry-after": "1" }, times: 1 },
		{ path: "file-number-40", status: 503, times: 1 },
	);
	peer.put("file-locked", { name: "Locked.txt", content: "nobody", canDownload: false });
	peer.put("doc-of-tides", { name: "Tides", mimeType: docType, content: { [word]: docxOf({ body: wordParagraph(tides) }) } });
	const created = await create(app);
	expect(created).toEqual({ id: expect.any(String), authLink: expect.stringContaining(peer.endpoint), expiresIn: "1 hour", redirectsTo: app });
	expect((await browse(created.authLink)).headers.get("location")).toBe(app);
	await until(async () => (await documents()).length > 10);
	peer.oauth.expireTokens();
	const { id } = created;
	expect((await ended(id)).lastSyncRun?.status).toBe("completed");
	expect(await remarks(id)).toEqual(['"Locked.txt" is not handed out: its owner does not let readers download it']);
	const before = await same();
	expect([before.length, (await shown(id)).email, peer.oauth.refreshes > 0]).toEqual([files + 1, "ada@example.com", true]);

	peer.put("file-number-0", { content: "Crate 0 holds something else." });
	peer.put("file-number-1", { name: "Renamed.txt" });
	peer.put("folder-of-boats", { name: "Boats", mimeType: folderType, parents: [peerRoot] });
	peer.put("file-number-2", { parents: ["folder-of-boats"] });
	peer.trash("file-number-3");
	peer.remove("file-number-4");
	peer.put("file-of-nets", { name: "Nets.txt", content: "Nets are mended on Sundays." });
	expect(await client.connections.import("google-drive", { containerTags })).toBe("Importing connections...");
	const after = await until(async () => {
		const found = await same();
		return found.some(({ title }) => title === "Renamed.txt") && found;
	});
	const ids = (found: typeof before) => new Map(found.map((document) => [document.url, document.id]));
	const kept = [...ids(after)].filter(([url]) => ids(before).has(url));
	expect(kept.every(([url, document]) => ids(before).get(url) === document)).toBe(true);
	expect([kept.length, after.length]).toEqual([files - 1, files]);

	peer.oauth.revokeAll();
	peer.put("file-of-ropes", { name: "Ropes.txt", content: "Ropes are spliced in winter." });
	await client.connections.import("google-drive", { containerTags });
	const stopped = await until(async () => {
		const connection = await shown(id);
		return connection.lastSyncRun?.status === "failed" && connection;
	});
	expect(stopped).toMatchObject({ nextSyncAt: null, lastSyncRun: { errorCode: "auth_expired", error: expect.stringContaining("sign-in") } });
	expect((await documents()).length).toBe(files);

	const again = await create();
	expect(again.id).toBe(id);
	const page = await browse(again.authLink);
	expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("You are signed in")]);
	const mended = await same();
	expect(mended.filter((document) => ids(after).get(document.url) === document.id).length).toBe(files);
	expect(await client.connections.list({})).toHaveLength(1);
});

test("folders are listed and chosen; what is not chosen goes", async () => {
	const [connection] = await client.connections.list({});
	const id = connection?.id ?? "";
	const { resources } = await client.connections.resources(id, { parent_id: peerRoot });
	expect(resources).toEqual([{ id: "folder-of-boats", name: "Boats", type: "folder", parent_id: peerRoot }]);
	expect(await client.connections.configure(id, { resources: resources as { [key: string]: unknown }[] })).toMatchObject({ success: true });
	await until(async () => Bun.deepEquals([...byUrl(await documents()).values()], ["Crate 2 holds q2z."]));
});

test("no token, code or secret is told, logged or stored in the clear; deleting ends the sign-in at Google", async () => {
	const { folder, server } = official;
	const [connection] = await client.connections.list({});
	const told = JSON.stringify([connection, await documents(), server.printed()]);
	const stored = [...(await bytesIn(folder)).values()];
	const leaked = [...peer.oauth.secrets].filter((secret) => told.includes(secret) || stored.some((bytes) => bytes.includes(secret)));
	expect([peer.oauth.secrets.size > 6, leaked]).toEqual([true, []]);
	expect(peer.oauth.liveGrants()).toBe(1);
	expect(await client.connections.deleteByProvider("google-drive", { containerTags })).toEqual({ id: connection?.id ?? "", provider: "google-drive" });
	await until(() => peer.oauth.liveGrants() === 0);
	expect(await documents()).toEqual([]);
	const unconfigured = await thrownBy(client.connections.create("onedrive", {}));
	expect(unconfigured).toBeInstanceOf(APIError);
});
