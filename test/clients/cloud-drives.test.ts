/** OneDrive and Dropbox by the npm package `supermemory` and a browser, against small ones on this machine: sign-in, faults, changes, a revoked sign-in, and another one. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startDropboxPeer } from "../doubles/dropbox-peer.ts";
import { bytesIn } from "../doubles/folder-bytes.ts";
import { ownDrive, refusal, startGraphPeer } from "../doubles/graph-peer.ts";
import type { LocalPeer } from "../doubles/local-peer.ts";
import type { OAuthPeer } from "../doubles/oauth-peer.ts";
import { type OfficialClient, startOfficialClient } from "../doubles/official-client.ts";
import { until } from "../doubles/until.ts";
import { browse, byUrl, connected } from "./connected.ts";

const files = 60;
const containerTags = ["crates"];

/** One service, as this test speaks of it: files are numbers, folders names. */
interface Cloud {
	readonly peer: LocalPeer & { readonly oauth: OAuthPeer };
	readonly provider: string;
	readonly env: Readonly<Record<string, string>>;
	readonly put: (name: string, content: string) => void;
	readonly rename: (name: string) => void;
	readonly addFolder: (name: string) => void;
	readonly move: (name: string, folder: string) => void;
	readonly remove: (name: string) => void;
	/** Texts by address. */
	readonly there: () => ReadonlyMap<string, string>;
	/** Throttles and fails for a moment. */
	readonly disturb: () => void;
}

async function oneDrive(): Promise<Cloud> {
	const peer = Object.assign(await startGraphPeer(), { pageMax: 20 });
	peer.oauth.rotates = true;
	const items = () => peer.drives.get(ownDrive)?.items ?? new Map();
	return {
		...{ peer, provider: "onedrive" },
		env: { CAIRN_OAUTH_MICROSOFT_ID: peer.oauth.clientId, CAIRN_OAUTH_MICROSOFT_SECRET: peer.oauth.clientSecret, CAIRN_OAUTH_MICROSOFT_URL: peer.origin },
		put: (name, content) => peer.put(name, { name: `${name}.txt`, content }),
		rename: (name) => peer.put(name, { name: "Renamed.txt" }),
		addFolder: (name) => peer.put(name, { name, kind: "folder" }),
		move: (name, folder) => peer.put(name, { parent: folder }),
		remove: (name) => peer.remove(name),
		there: () =>
			new Map(
				[...items()].filter(([, { kind }]) => kind === "file").map(([id, { content }]) => [`https://onedrive.example/${ownDrive}/${id}`, String(content)]),
			),
		disturb: () => {
			const left = [refusal(429, "activityLimitReached", "Slow down"), refusal(503, "serviceNotAvailable", "Busy")];
			peer.trouble = ({ path }) => (path.includes("/items/") ? (left.pop() ?? null) : null);
		},
	};
}

async function dropbox(): Promise<Cloud> {
	const peer = Object.assign(await startDropboxPeer(), { pageMax: 20 });
	return {
		...{ peer, provider: "dropbox" },
		env: { CAIRN_OAUTH_DROPBOX_ID: peer.oauth.clientId, CAIRN_OAUTH_DROPBOX_URL: peer.origin },
		put: (name, content) => peer.put(`id:${name}`, { path: `/${name}.txt`, content }),
		rename: (name) => peer.move(`id:${name}`, "/Renamed.txt"),
		addFolder: (name) => peer.put(`id:${name}`, { path: `/${name}`, kind: "folder" }),
		move: (name, folder) => peer.move(`id:${name}`, `/${folder}/${name}.txt`),
		remove: (name) => peer.remove(`id:${name}`),
		there: () =>
			new Map(
				[...peer.entries.values()]
					.filter(({ kind }) => kind === "file")
					.map(({ path, content }) => [`https://www.dropbox.com/home${path.split("/").map(encodeURIComponent).join("/")}`, String(content)]),
			),
		disturb: () => {
			const left = [
				{ status: 429, headers: { "retry-after": "1" }, body: "{}" },
				{ status: 500, body: "" },
			];
			peer.trouble = ({ path }) => (path.startsWith("/2/files/download") ? (left.pop() ?? null) : null);
		},
	};
}

describe.each([
	["OneDrive", oneDrive],
	["Dropbox", dropbox],
] as const)("%s", (_, open) => {
	let cloud: Cloud;
	let official: OfficialClient;
	const { documents, same, shown, ended } = connected(
		() => official,
		containerTags,
		() => cloud.there(),
	);
	/** The client's types know only Supermemory's own providers. */
	const provider = () => cloud.provider as "onedrive";
	const create = () => official.client.connections.create(provider(), { containerTags });
	const sync = () => official.client.connections.import(provider(), { containerTags });
	/** As its metadata names it, which changes with the path at some services. */
	const idOf = async (text: string) => (await documents()).find((document) => document.text === text)?.id;

	beforeAll(async () => {
		cloud = await open();
		for (let i = 0; i < files; i++) cloud.put(`Crate ${i}`, `Crate ${i} holds q${i}z.`);
		official = await startOfficialClient({ ...cloud.env, CAIRN_LOG_LEVEL: "debug" });
		cloud.peer.oauth.redirectUris.add(`${official.server.address}/v3/connections/auth/callback/${cloud.provider}`);
	});
	afterAll(async () => {
		await official.dispose();
		cloud.peer.close();
	});

	test("sign in, sync with faults, change, rename, move, remove, revoke, sign in again", async () => {
		cloud.disturb();
		const { id, authLink, expiresIn } = await create();
		expect([new URL(authLink).origin, expiresIn]).toEqual([cloud.peer.origin, "1 hour"]);
		expect((await browse(authLink)).status).toBe(200);
		await until(async () => (await documents()).length > 5);
		cloud.peer.oauth.expireTokens();
		const first = await ended(id);
		expect([first.lastSyncRun?.status, first.email]).toEqual(["completed", "ada@example.com"]);
		expect([(await same()).length, cloud.peer.oauth.refreshes > 0]).toEqual([files, true]);

		const before = new Map(await Promise.all([1, 2, 5].map(async (i) => [i, await idOf(`Crate ${i} holds q${i}z.`)] as const)));
		cloud.put("Crate 0", "Crate 0 holds something else.");
		cloud.rename("Crate 1");
		cloud.addFolder("Boats");
		cloud.move("Crate 2", "Boats");
		cloud.remove("Crate 3");
		cloud.put("Nets", "Nets are mended on Sundays.");
		expect(await sync()).toBe("Importing connections...");
		const after = await until(async () => {
			const found = await same();
			return found.some(({ title }) => title === "Renamed.txt") && found;
		});
		expect(after.length).toBe(files);
		for (const [i, document] of before) expect(await idOf(`Crate ${i} holds q${i}z.`)).toBe(document);

		cloud.peer.oauth.revokeAll();
		cloud.put("Ropes", "Ropes are spliced in winter.");
		await sync();
		const stopped = await until(async () => {
			const connection = await shown(id);
			return connection.lastSyncRun?.status === "failed" && connection;
		});
		expect(stopped).toMatchObject({ nextSyncAt: null, lastSyncRun: { errorCode: "auth_expired", error: expect.stringContaining("sign-in") } });
		expect((await documents()).length).toBe(files);

		const again = await create();
		expect(again.id).toBe(id);
		expect((await browse(again.authLink)).status).toBe(200);
		expect((await same()).length).toBe(files + 1);
		expect(await official.client.connections.list({})).toHaveLength(1);
	});

	test("folders are listed and chosen; what is not chosen goes", async () => {
		const [connection] = await official.client.connections.list({});
		const id = connection?.id ?? "";
		const list = async (parent?: string) => (await official.client.connections.resources(id, parent === undefined ? {} : { parent_id: parent })).resources;
		const top = (await list()) as unknown as readonly { readonly id: string; readonly name: string; readonly type: string }[];
		const folders = top[0]?.type === "drive" ? await list(top[0].id) : top;
		expect(folders).toMatchObject([{ name: "Boats", type: "folder" }]);
		expect(await official.client.connections.configure(id, { resources: folders as unknown as { [key: string]: unknown }[] })).toMatchObject({ success: true });
		await until(async () => Bun.deepEquals([...byUrl(await documents()).values()], ["Crate 2 holds q2z."]));
	});

	test("no token, code or secret is told, logged or stored in the clear; deleting ends the connection", async () => {
		const { folder, server } = official;
		const [connection] = await official.client.connections.list({});
		const told = JSON.stringify([connection, await documents(), server.printed()]);
		const stored = [...(await bytesIn(folder)).values()];
		const leaked = [...cloud.peer.oauth.secrets].filter((secret) => told.includes(secret) || stored.some((bytes) => bytes.includes(secret)));
		expect([cloud.peer.oauth.secrets.size > 6, leaked]).toEqual([true, []]);
		expect(await official.client.connections.deleteByProvider(provider(), { containerTags })).toEqual({ id: connection?.id ?? "", provider: cloud.provider });
		// Microsoft lets no program end a consent.
		if (cloud.provider !== "onedrive") await until(() => cloud.peer.oauth.liveGrants() === 0);
		expect(await documents()).toEqual([]);
	});
});
