/** Connectors whose service asks for a sign-in: somebody signs in, and syncs are run and collected. */

import type { Cursor, Plugin } from "cairn-memory";
import type { ConnectorScene } from "../../contract/connector-scene.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import type { LocalPeer } from "../../doubles/local-peer.ts";
import type { OAuthPeer } from "../../doubles/oauth-peer.ts";
import { signIn } from "../../doubles/sign-in.ts";
import { createStep } from "../../doubles/step.ts";
import { refusalOf, syncOnce } from "./sync-once.ts";

/** The words of a file. */
export function wordsOf({ content }: { readonly content: { readonly kind: string } }): string {
	return content.kind === "file" ? new TextDecoder().decode((content as unknown as { readonly bytes: Uint8Array }).bytes) : "";
}

/** One whole sync. @param plugin of the peer on this host */
export async function syncSignedIn(
	plugin: Plugin,
	peer: { readonly host: string },
	metadata: Readonly<Record<string, unknown>> = {},
	cursor: Cursor | null = null,
	documentsMax = 1_000,
) {
	const host = createConnectorHost([peer.host]);
	const connector = await startConnector(plugin, host);
	const synced = await syncOnce(connector, { metadata, cursor, documentsMax, accessToken: await signIn(connector) });
	return { ...synced, pauses: host.pauses };
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
