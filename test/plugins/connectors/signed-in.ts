/** Connectors whose service asks for a sign-in: somebody signs in, and syncs are run and collected. */

import { type Change, type Connector, type Plugin, ServiceError, type Step } from "cairn-memory";
import { type ConnectorScene, kept } from "../../contract/connector-scene.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import type { LocalPeer } from "../../doubles/local-peer.ts";
import type { OAuthPeer } from "../../doubles/oauth-peer.ts";
import { createStep } from "../../doubles/step.ts";

export const attempt = {
	redirectUri: "http://127.0.0.1:6767/v3/connections/auth/callback/of-the-test",
	state: "state-of-the-test",
	verifier: "v".repeat(43),
	accountHint: null,
};

export function signInOf({ signIn }: Connector): NonNullable<Connector["signIn"]> {
	if (signIn === undefined) throw new Error("it has no sign-in");
	return signIn;
}

/** What the browser comes back with. */
export async function callbackOf(connector: Connector, more: Partial<typeof attempt> = {}): Promise<URLSearchParams> {
	const response = await fetch(await signInOf(connector).begin({ ...attempt, ...more }), { redirect: "manual" });
	return new URL(response.headers.get("location") ?? "").searchParams;
}

/** Signs in. @returns access tokens, refreshed when they are refused */
export async function signIn(connector: Connector): Promise<NonNullable<Step["accessToken"]>> {
	let { credentials } = await signInOf(connector).finish(attempt, await callbackOf(connector), createStep());
	return async (refused) => {
		if (credentials.accessToken === refused) credentials = await signInOf(connector).refresh(credentials, createStep());
		return credentials.accessToken;
	};
}

export async function refusalOf(run: () => unknown): Promise<ServiceError> {
	try {
		await run();
	} catch (error) {
		if (error instanceof ServiceError) return error;
		throw error;
	}
	throw new Error("it was expected to be refused");
}

/** The words of a file. */
export function wordsOf({ content }: { readonly content: { readonly kind: string } }): string {
	return content.kind === "file" ? new TextDecoder().decode((content as unknown as { readonly bytes: Uint8Array }).bytes) : "";
}

/** One whole sync. @param plugin of the peer on this host */
export async function syncSignedIn(
	plugin: Plugin,
	peer: { readonly host: string },
	metadata: Readonly<Record<string, unknown>> = {},
	cursor: Parameters<typeof kept>[0] | null = null,
	documentsMax = 1_000,
) {
	const host = createConnectorHost([peer.host]);
	const connector = await startConnector(plugin, host);
	const step = { ...createStep(), accessToken: await signIn(connector) };
	const changes: Change[] = [];
	let last = cursor;
	for await (const change of connector.sync(connector.configure(metadata, documentsMax), cursor, step)) {
		changes.push(change);
		last = kept(change.cursor());
	}
	const puts = changes.flatMap((change) => (change.kind === "put" ? [change.item] : []));
	const removed = changes.flatMap((change) => (change.kind === "remove" ? [change.key] : []));
	const keys = puts.map(({ key }) => key).sort();
	return { puts, removed, keys, warnings: step.warnings.map(({ code, message }) => `${code}: ${message}`), cursor: last, pauses: host.pauses };
}

/** What the contract of connectors is tried on, for a peer where somebody signs in. */
export async function signedInScene(
	peer: Pick<LocalPeer, "host" | "isStalled" | "close">,
	plugin: Plugin,
	more: Pick<ConnectorScene, "nonsense" | "there" | "change">,
): Promise<ConnectorScene> {
	const accessToken = await signIn(await startConnector(plugin, createConnectorHost([peer.host])));
	return {
		start: (log) => startConnector(plugin, createConnectorHost([peer.host], log)),
		...{ accessToken, metadata: { syncScope: "full" }, refused: null, ...more },
		stall: () => {
			peer.isStalled = true;
		},
		close: async () => peer.close(),
	};
}

/** A sync in which the access token is refused after every file, and what another one says once the sign-in was revoked. */
export async function syncWithRefusals(plugin: Plugin, peer: { readonly host: string; readonly oauth: OAuthPeer }) {
	const connector = await startConnector(plugin, createConnectorHost([peer.host]));
	const step = { ...createStep(), accessToken: await signIn(connector) };
	const config = connector.configure({}, 100);
	const keys: string[] = [];
	for await (const change of connector.sync(config, null, step)) {
		if (change.kind !== "put") continue;
		keys.push(change.item.key);
		peer.oauth.expireTokens();
	}
	const { refreshes } = peer.oauth;
	peer.oauth.revokeAll();
	const { code } = await refusalOf(async () => Array.fromAsync(connector.sync(config, null, step)));
	return { keys: keys.sort(), refreshes, code };
}

/** The resources below a parent, as a client lists them. */
export async function resourcesOf(plugin: Plugin, peer: { readonly host: string }, parent: string | null, metadata = {}, perPage = 30, page = 1) {
	const connector = await startConnector(plugin, createConnectorHost([peer.host]));
	const step = { ...createStep(), accessToken: await signIn(connector) };
	return connector.resources?.list(connector.configure(metadata, 10), { page, perPage, parent }, step);
}
