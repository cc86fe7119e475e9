/** Signing in to services that take a token too: in a browser, and with a code at another device. */

import { afterEach, describe, expect, test } from "bun:test";
import { type Connector, limits, type Step } from "cairn-memory";
import github from "../../../plugins/connectors/github/index.ts";
import notion from "../../../plugins/connectors/notion/index.ts";
import onedrive from "../../../plugins/connectors/onedrive/index.ts";
import { type ConnectorHost, createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { peerRepository, startGithubPeer } from "../../doubles/github-peer.ts";
import { startGraphPeer } from "../../doubles/graph-peer.ts";
import { peerPage, startNotionPeer } from "../../doubles/notion-peer.ts";
import type { OAuthPeer } from "../../doubles/oauth-peer.ts";
import { attempt, callbackOf, signIn, signInOf } from "../../doubles/sign-in.ts";
import { createStep } from "../../doubles/step.ts";
import { refusalOf, syncOnce } from "./sync-once.ts";

interface Side {
	readonly connector: Connector;
	readonly host: ConnectorHost;
	readonly oauth: OAuthPeer;
	readonly metadata: Readonly<Record<string, unknown>>;
	readonly asked: readonly string[];
}

const closing: (() => void)[] = [];
afterEach(() => {
	for (const close of closing.splice(0)) close();
});

async function githubSide(): Promise<Side> {
	const peer = await startGithubPeer({ "harbour/tides": peerRepository({ "a.md": "words of a", "b.md": "words of b" }) });
	closing.push(peer.close);
	const { clientId, clientSecret } = peer.oauth;
	const host = createConnectorHost([peer.host]);
	const connector = await startConnector(github({ clientId, clientSecret, endpoint: peer.endpoint }), host);
	return { connector, host, oauth: peer.oauth, metadata: { repositories: "harbour/tides" }, asked: peer.asked };
}

async function notionSide(): Promise<Side> {
	const peer = await startNotionPeer({ tides: peerPage("Tides", "words"), boats: peerPage("Boats", "words") });
	closing.push(peer.close);
	const { clientId, clientSecret } = peer.oauth;
	const host = createConnectorHost([peer.host]);
	const connector = await startConnector(notion({ clientId, clientSecret, endpoint: peer.origin }), host);
	return { connector, host, oauth: peer.oauth, metadata: {}, asked: peer.asked };
}

async function oneDriveSide(): Promise<Side> {
	const peer = await startGraphPeer({ "file-of-a": { content: "words of a" }, "file-of-b": { content: "words of b" } });
	closing.push(peer.close);
	const { clientId, clientSecret } = peer.oauth;
	const host = createConnectorHost([peer.host]);
	const connector = await startConnector(onedrive({ clientId, clientSecret, endpoint: peer.origin }), host);
	return { connector, host, oauth: peer.oauth, metadata: {}, asked: peer.asked };
}

const both = [
	["GitHub", githubSide],
	["Notion", notionSide],
] as const;

describe.each(both)("%s in a browser", (name, open) => {
	test("who signs in is known, and what they see is read with tokens that are replaced", async () => {
		const { connector, oauth, metadata } = await open();
		const link = new URL(await signInOf(connector).begin(attempt));
		expect([link.searchParams.get("state"), link.searchParams.has("scope"), link.searchParams.has("code_challenge")]).toEqual([
			...[attempt.state, false, name === "GitHub"],
		]);
		const { credentials, account } = await signInOf(connector).finish(attempt, await callbackOf(connector), createStep());
		expect([account.address, account.id.length > 4, credentials.expiresAt === null]).toEqual([
			name === "GitHub" ? "ada" : "ada@example.com",
			true,
			name === "Notion",
		]);
		const next = await signInOf(connector).refresh(credentials, createStep());
		expect([next.refreshToken === credentials.refreshToken, next.accessToken === credentials.accessToken, next.isOfDevice]).toEqual([false, false, undefined]);
		const first = await syncOnce(connector, { metadata, accessToken: await signIn(connector) });
		expect(first.keys).toHaveLength(2);
		expect(JSON.stringify(first.puts)).not.toContain(next.accessToken);
		const { revoke, revokeToken = revoke } = signInOf(connector);
		await revokeToken(next, createStep());
		expect(oauth.liveGrants()).toBe(1);
		// GitHub ends all that the person has allowed, Notion one sign-in.
		const { credentials: last } = await signInOf(connector).finish(attempt, await callbackOf(connector), createStep());
		await revoke(last, createStep());
		expect(oauth.liveGrants()).toBe(name === "GitHub" ? 0 : 1);
	});

	test("an access token that is refused is renewed in the middle of a sync; a sign-in that was revoked ends it", async () => {
		const { connector, oauth, metadata } = await open();
		const step = { ...createStep(), accessToken: await signIn(connector) };
		const config = connector.configure(metadata, 100);
		let puts = 0;
		for await (const change of connector.sync(config, null, step)) {
			if (change.kind === "put") puts += 1;
			oauth.expireTokens();
		}
		expect([puts, oauth.refreshes > 0]).toEqual([2, true]);
		oauth.revokeAll();
		expect(await refusalOf(async () => Array.fromAsync(connector.sync(config, null, step)))).toMatchObject({ code: "CONNECTION_UNAUTHORIZED" });
	});

	test("who denies is not signed in, and a secret that is wrong is told as the operator's fault", async () => {
		const { connector, oauth } = await open();
		oauth.person = "denies";
		expect(await refusalOf(async () => signInOf(connector).finish(attempt, await callbackOf(connector), createStep()))).toMatchObject({
			code: "SIGN_IN_REFUSED",
		});
		oauth.person = "allows";
		Object.assign(oauth, { clientSecret: "another-secret-of-the-test" });
		const refusal = await refusalOf(async () => signInOf(connector).finish(attempt, await callbackOf(connector), createStep()));
		expect([refusal.code, refusal.message.includes("GOCSPX")]).toEqual(["CONNECTION_CLIENT_REFUSED", false]);
	});

	test("a token of one's own needs no sign-in; the token of a sign-in goes to no address that a client names", async () => {
		const { connector, metadata } = await open();
		const { isNeeded } = signInOf(connector);
		const own = connector.configure({ ...metadata, token: "token-of-ones-own", endpoint: "https://elsewhere.example" }, limits.connectionDocumentsMax);
		const signed = connector.configure(metadata, limits.connectionDocumentsMax);
		expect([isNeeded?.(own), isNeeded?.(signed), connector.configure(signed, limits.connectionDocumentsMax)]).toEqual([false, true, signed]);
		const refusal = await refusalOf(() => connector.configure({ ...metadata, endpoint: "https://elsewhere.example" }, 10));
		expect(refusal).toMatchObject({ code: "CONNECTION_INVALID", args: [expect.any(String), "endpoint", expect.any(String)] });
		// As one that was made before the operator changed the address.
		const elsewhere = { ...signed, endpoint: "https://elsewhere.example" };
		expect((await Array.fromAsync(connector.sync(elsewhere, null, { ...createStep(), accessToken: await signIn(connector) }))).length).toBeGreaterThan(2);
	});
});

test("GitHub says on its own how long a token lives; one that lives on needs no refresh token", async () => {
	const { connector, oauth } = await githubSide();
	Object.assign(oauth, { tokenLifeSeconds: 28_800 });
	const { credentials } = await signInOf(connector).finish(attempt, await callbackOf(connector), createStep());
	const hours = (Date.parse(credentials.expiresAt ?? "") - Date.now()) / 3_600_000;
	expect(hours).toBeWithin(7.9, 8.1);
	const living = { accessToken: credentials.accessToken, expiresAt: null, refreshToken: null };
	expect(await refusalOf(() => signInOf(connector).refresh(living, createStep()))).toMatchObject({ code: "CONNECTION_UNAUTHORIZED" });
});

function deviceOf(connector: Connector) {
	const { device } = signInOf(connector);
	if (device === undefined) throw new Error("it has no sign-in with a code");
	return device;
}

describe.each([
	["GitHub", githubSide],
	["OneDrive", oneDriveSide],
] as const)("%s with a code at another device", (name, open) => {
	async function begun() {
		const side = await open();
		let now = Date.now();
		Object.assign(side.oauth, { clock: () => now });
		const device = deviceOf(side.connector);
		const code = await device.begin(createStep());
		const poll = (afterMs = code.intervalMs) => {
			now += afterMs;
			return device.poll(code, createStep());
		};
		return { ...side, code, poll };
	}

	test("the code is typed in, and what the account sees is read; tokens are refreshed without the client's secret", async () => {
		const { connector, oauth, code, poll, metadata } = await begun();
		const page = name === "GitHub" ? "https://github.example/login/device" : "https://microsoft.example/devicelogin";
		expect([code.link, code.intervalMs, code.lifeMs, code.userCode.length]).toEqual([page, 5_000, 900_000, 8]);
		expect(await poll()).toBe("pending");
		expect(oauth.enter(code.userCode)).toBe(true);
		const answer = await poll();
		if (typeof answer === "string") throw new Error(answer);
		let credentials = answer;
		const account = await deviceOf(connector).account(credentials, createStep());
		expect([account.address.startsWith("ada"), credentials.isOfDevice]).toEqual([true, true]);
		const accessToken: NonNullable<Step["accessToken"]> = async (refused) => {
			if (refused === credentials.accessToken) credentials = await signInOf(connector).refresh(credentials, createStep());
			return credentials.accessToken;
		};
		oauth.expireTokens();
		expect((await syncOnce(connector, { metadata, accessToken })).keys).toHaveLength(2);
		expect([oauth.refreshes, credentials.isOfDevice]).toEqual([1, true]);
		// A code is used up.
		expect(await refusalOf(() => poll())).toMatchObject({ code: "SIGN_IN_REFUSED" });
	});

	test("who asks too soon is told to ask less often; a denial and a code that is over are told", async () => {
		const first = await begun();
		expect([await first.poll(), await first.poll(1_000), await first.poll(5_000), await first.poll(15_000)]).toEqual([
			"pending",
			"slower",
			"slower",
			"pending",
		]);
		first.oauth.enter(first.code.userCode, "denies");
		expect(await refusalOf(() => first.poll(15_000))).toMatchObject({
			code: "SIGN_IN_REFUSED",
			args: [first.connector.name, name === "GitHub" ? "access_denied" : "authorization_declined"],
		});
		const second = await begun();
		const over = await refusalOf(() => second.poll(901_000));
		expect([over.code, over.message.includes("expired_token"), second.oauth.enter(second.code.userCode)]).toEqual(["SIGN_IN_REFUSED", true, false]);
	});

	test("a service that does not answer may be asked again; a client that it does not know is refused", async () => {
		const { oauth, code, poll, host, connector } = await begun();
		const silent = { ...createStep(), signal: AbortSignal.abort(new Error("stopped")) };
		await expect(deviceOf(connector).poll(code, silent)).rejects.toThrow();
		Object.assign(oauth, { clientId: "another-client" });
		expect(await refusalOf(() => poll())).toMatchObject({ code: "SIGN_IN_REFUSED" });
		expect(host.pauses).toEqual([]);
	});
});

test("Notion has no sign-in with a code", async () => {
	expect(signInOf((await notionSide()).connector).device).toBeUndefined();
});

test("without an app of the operator's a token is needed", async () => {
	for (const plugin of [github(), notion()]) {
		const connector = await startConnector(plugin, createConnectorHost([]));
		expect(connector.signIn).toBeUndefined();
		expect(await refusalOf(() => connector.configure({}, 10))).toMatchObject({
			code: "CONNECTION_INVALID",
			args: [connector.name, "token", expect.any(String)],
		});
		// A connection of a sign-in that was made with the app: its syncs go on when the app is back.
		const signed = { ...connector.configure({ token: "token-of-the-test" }, 10), token: undefined } as never;
		const step = { ...createStep(), accessToken: async () => "token-of-a-sign-in" };
		expect(await refusalOf(() => Array.fromAsync(connector.sync(signed, null, step)))).toMatchObject({ code: "CONNECTOR_MISSING" });
	}
});
