/** What the tests of connections with a sign-in do by the official client: browse to the sign-in, and wait for what is there to be here. */

import type Supermemory from "supermemory";
import type { OfficialClient } from "../doubles/official-client.ts";
import { until } from "../doubles/until.ts";

/** What a browser does with the link. @returns the last answer of the server */
export async function browse(authLink: string): Promise<Response> {
	const consent = await fetch(authLink, { redirect: "manual" });
	return fetch(consent.headers.get("location") ?? "", { redirect: "manual" });
}

export interface ListedDocument {
	readonly id: string;
	readonly url: string;
	readonly title: string;
	readonly text: string;
	readonly status: string;
}

export interface ShownConnection {
	readonly nextSyncAt: string | null;
	readonly email: string;
	readonly lastSyncRun?: { readonly status: string; readonly errorCode?: string; readonly error?: string };
}

export interface Connected {
	readonly documents: () => Promise<readonly ListedDocument[]>;
	/** Waits until all that the service has is here, word by word, and no more. */
	readonly same: () => Promise<readonly ListedDocument[]>;
	readonly shown: (id: string) => Promise<ShownConnection>;
	/** Waits until a sync has ended, however. */
	readonly ended: (id: string) => Promise<ShownConnection>;
	/** What the last sync said of single things. */
	readonly remarks: (id: string) => Promise<readonly string[]>;
}

/** @param there texts by address, as the service has them */
export function connected(official: () => OfficialClient, containerTags: string[], there: () => ReadonlyMap<string, string>): Connected {
	const client = (): Supermemory => official().client;

	async function documents(): Promise<readonly ListedDocument[]> {
		const { memories } = await client().documents.list({ containerTags, limit: 1_100, includeContent: true });
		return memories.map(({ id, title, content, status, metadata }) => ({
			...{ id, status, title: title ?? "", text: (content ?? "").trim() },
			url: String((metadata as Record<string, unknown>)["url"]),
		}));
	}

	const shown = async (id: string) => (await client().connections.getByID(id)) as unknown as ShownConnection;
	return {
		documents,
		shown,
		same: () =>
			until(async () => {
				const found = await documents();
				return found.every(({ status }) => status === "done") && Bun.deepEquals(byUrl(found), there()) && found;
			}),
		ended: (id) =>
			until(async () => {
				const connection = await shown(id);
				return connection.lastSyncRun !== undefined && connection.lastSyncRun.status !== "running" && connection;
			}),
		remarks: async (id) => {
			const { address, key } = official().server;
			const response = await fetch(`${address}/v3/connections/${id}/sync-runs`, { headers: { authorization: `Bearer ${key}` } });
			const { syncRuns } = (await response.json()) as { readonly syncRuns: readonly { readonly remarks: readonly { readonly message: string }[] }[] };
			return (syncRuns[0]?.remarks ?? []).map(({ message }) => message);
		},
	};
}

export function byUrl(found: readonly ListedDocument[]): ReadonlyMap<string, string> {
	return new Map(found.map(({ url, text }) => [url, text]));
}
