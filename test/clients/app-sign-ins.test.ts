/** GitHub, Notion and OneDrive by the npm package `supermemory`, signed in to in a browser and with a code, against small ones on this machine. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { NotFoundError, PermissionDeniedError } from "supermemory";
import { runCommand } from "../../server/commands/run-command.ts";
import { bytesIn } from "../doubles/folder-bytes.ts";
import { type GithubPeer, peerRepository, startGithubPeer } from "../doubles/github-peer.ts";
import { type GraphPeer, startGraphPeer } from "../doubles/graph-peer.ts";
import { type NotionPeer, peerPage, startNotionPeer } from "../doubles/notion-peer.ts";
import type { OAuthPeer } from "../doubles/oauth-peer.ts";
import { type OfficialClient, startOfficialClient, thrownBy } from "../doubles/official-client.ts";
import { until } from "../doubles/until.ts";
import { browse } from "./connected.ts";

let github: GithubPeer;
let notion: NotionPeer;
let graph: GraphPeer;
let official: OfficialClient;

/** Codes may be asked for as often as that here, so that nothing has to be waited for. */
const pollSeconds = 0.05;

beforeAll(async () => {
	github = await startGithubPeer({ "harbour/tides": peerRepository({ "README.md": "# Tides\n\nHigh water comes twice a day." }) });
	notion = await startNotionPeer({ boats: peerPage("Boats", "There are nine of them.") });
	graph = await startGraphPeer({ "file-of-ropes": { name: "Ropes.txt", content: "Ropes are spliced in winter." } });
	for (const { oauth } of [github, notion, graph]) oauth.pollSeconds = pollSeconds;
	const clientOf = (name: string, { clientId, clientSecret }: OAuthPeer, origin: string) => ({
		[`CAIRN_OAUTH_${name}_ID`]: clientId,
		[`CAIRN_OAUTH_${name}_SECRET`]: clientSecret,
		[`CAIRN_OAUTH_${name}_URL`]: origin,
	});
	official = await startOfficialClient({
		...clientOf("GITHUB", github.oauth, github.endpoint),
		...clientOf("NOTION", notion.oauth, notion.origin),
		...clientOf("MICROSOFT", graph.oauth, graph.origin),
		CAIRN_LOG_LEVEL: "debug",
	});
});
afterAll(async () => {
	await official.dispose();
	github.close();
	notion.close();
	graph.close();
});

interface Created {
	readonly id: string;
	readonly authLink: string;
	readonly expiresIn: string;
	readonly userCode?: string;
}

type Provider = "github" | "notion" | "onedrive";

/** `signIn` is not a word of the client's, which sends what it is given. */
const create = async (provider: Provider, more: object = {}) =>
	(await official.client.connections.create(provider, { containerTag: provider, ...more } as object)) as unknown as Created;

const texts = (provider: Provider, count: number) =>
	until(async () => {
		const { memories } = await official.client.documents.list({ containerTags: [provider], includeContent: true });
		return memories.length === count && memories.every(({ status }) => status === "done") && memories.map(({ content }) => content ?? "").join();
	});

describe.each([
	["github", "High water", () => github.oauth, { repositories: "harbour/tides" }],
	["notion", "nine of them", () => notion.oauth, {}],
] as const)("%s in a browser", (provider, words, oauthOf, metadata) => {
	test("without a token there is a link; then all is read, and a sign-in that was revoked is mended by another one", async () => {
		const oauth = oauthOf();
		oauth.redirectUris.add(`${official.server.address}/v3/connections/auth/callback/${provider}`);
		const { id, authLink, expiresIn, userCode } = await create(provider, { metadata });
		expect([expiresIn, userCode]).toEqual(["1 hour", undefined]);
		expect(await thrownBy(official.client.connections.getByID(id))).toMatchObject({ status: 404, error: { error: expect.any(String) } });
		expect((await browse(authLink)).status).toBe(200);
		expect(await texts(provider, 1)).toContain(words);
		oauth.revokeAll();
		oauth.expireTokens();
		await official.client.connections.import(provider, { containerTags: [provider] });
		await until(async () => ((await official.client.connections.getByID(id)) as unknown as { nextSyncAt: string | null }).nextSyncAt === null);
		const again = await create(provider, { metadata });
		expect(again.id).toBe(id);
		expect((await browse(again.authLink)).status).toBe(200);
		await until(async () => ((await official.client.connections.getByID(id)) as unknown as { nextSyncAt: string | null }).nextSyncAt !== null);
		expect(await official.client.connections.deleteByID(id)).toEqual({ id, provider });
		await until(() => oauth.liveGrants() === 0);
	});
});

describe.each([
	["github", "High water", () => github.oauth, { repositories: "harbour/tides" }],
	["onedrive", "spliced", () => graph.oauth, {}],
] as const)("%s with a code", (provider, words, oauthOf, metadata) => {
	test("the code is typed in elsewhere, and all is read", async () => {
		const oauth = oauthOf();
		const { id, authLink, expiresIn, userCode = "" } = await create(provider, { metadata, signIn: "device" });
		expect([authLink.endsWith(provider === "github" ? "/login/device" : "/devicelogin"), expiresIn, userCode.length]).toEqual([true, "15 minutes", 8]);
		await until(() => oauth.polls > 1);
		const pending = await thrownBy(official.client.connections.getByID(id));
		expect(pending).toBeInstanceOf(NotFoundError);
		expect(JSON.stringify((pending as NotFoundError).error)).toContain("SIGN_IN_PENDING");
		expect(oauth.enter(userCode)).toBe(true);
		expect(await texts(provider, 1)).toContain(words);
		expect(await official.client.connections.getByID(id)).toMatchObject({ id, provider, containerTags: [provider] });
		expect(await official.client.connections.deleteByID(id)).toEqual({ id, provider });
	});

	test("a denial is told to whoever asks, and nothing is made", async () => {
		const oauth = oauthOf();
		const { id, userCode = "" } = await create(provider, { metadata, signIn: "device" });
		oauth.enter(userCode, "denies");
		const refused = await until(async () => {
			const thrown = await thrownBy(official.client.connections.getByID(id));
			return thrown instanceof PermissionDeniedError && thrown;
		});
		expect(JSON.stringify(refused.error)).toMatch(
			/SIGN_IN_REFUSED.*(access_denied|authorization_declined)|(access_denied|authorization_declined).*SIGN_IN_REFUSED/,
		);
		expect(await official.client.connections.list({})).toEqual([]);
	});
});

test("the command line tells the code, and where to type it in", async () => {
	const { address, key } = official.server;
	const printed: string[] = [];
	const args = ["connections", "add", "onedrive", "--device", "--container", "terminal"];
	const env = { CAIRN_URL: address, CAIRN_API_KEY: key ?? "", XDG_CONFIG_HOME: official.folder };
	expect(await runCommand({ args, env, write: (text) => printed.push(text), writeError: () => undefined })).toBe(0);
	const [, link, code = ""] = printed.join("").trim().split("\n");
	expect(link).toBe("sign in here to go on: https://microsoft.example/devicelogin");
	expect(graph.oauth.enter(code.replace("and type in: ", ""))).toBe(true);
	const [made] = await until(async () => {
		const found = await official.client.connections.list({ containerTags: ["terminal"] });
		return found.length === 1 && found;
	});
	await official.client.connections.deleteByID(made?.id ?? "");
});

test("a provider without codes says so; no token, code or secret is told, logged or stored in the clear", async () => {
	expect(await thrownBy(create("notion", { signIn: "device" }))).toMatchObject({ status: 400 });
	expect(await thrownBy(create("github", { signIn: "telepathy" }))).toMatchObject({ status: 400 });
	const told = JSON.stringify([await official.client.connections.list({}), official.server.printed()]);
	const stored = [...(await bytesIn(official.folder)).values()];
	const secrets = [github, notion, graph].flatMap(({ oauth }) => [...oauth.secrets]);
	const leaked = secrets.filter((secret) => told.includes(secret) || stored.some((bytes) => bytes.includes(secret)));
	expect([secrets.length > 12, leaked]).toEqual([true, []]);
});
