/** Cairn as a client meets it, over HTTP with the text of the question; and its vectors alone, in this process on the same folder. */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { searchable } from "../../core/indexes/searchable.ts";
import type { OrganisationId } from "../../core/model/id.ts";
import { type Scope, wholeOrganisation } from "../../core/model/scope.ts";
import type { Embedder } from "../../core/plugin/contract.ts";
import { openBlobs } from "../../plugins/blobs/folder/index.ts";
import { openStorage } from "../../plugins/stores/sqlite/storage.ts";
import { quietHost } from "../../test/contract/quiet-host.ts";
import { drained, unfinished, until } from "../client.ts";
import { key, type Server } from "../server.ts";
import { type Ask, batchesOf, best, candidates, type Filter, type Passage } from "./peer.ts";

const batch = 200;
const connections = 4;
const hourMs = 3_600_000;
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

/** @returns the passage of each document. Ends when all are done and nothing is left to do. */
export async function fillCairn(server: Server, passages: readonly Passage[]): Promise<ReadonlyMap<string, string>> {
	const passageOf = new Map<string, string>();
	const batches = batchesOf(passages, batch);
	const connection = async () => {
		for (const each of batches) {
			const { results } = await ask<{ readonly results: readonly { readonly id: string }[] }>(server, "/v3/documents/batch", {
				documents: each.map(({ id, text, tag, category }) => ({ content: text, customId: id, containerTag: tag, metadata: { category } })),
				taskType: "superrag",
			});
			for (const [at, { id }] of results.entries()) passageOf.set(id, each[at]?.id ?? "");
		}
	};
	await Promise.all(Array.from({ length: connections }, connection));
	await until(async () => (await unfinished(server)) === 0, 500, hourMs);
	await drained(server, hourMs);
	return passageOf;
}

/** `/v3/search` over HTTP, which embeds the question itself. */
export function searchOf(server: Server, passageOf: ReadonlyMap<string, string>): Ask {
	return async ({ text }, filter) => {
		const body = { q: text, limit: best, ...bodyOf(filter) };
		const { results } = await ask<{ readonly results: readonly { readonly documentId: string }[] }>(server, "/v3/search", body);
		return results.map(({ documentId }) => passageOf.get(documentId) ?? "");
	};
}

/** The vector leg in this process, on the folder of a server that has ended. It finds as many candidates as a search does. */
export async function openVectors(
	folder: string,
	{ space }: Embedder,
	passageOf: ReadonlyMap<string, string>,
): Promise<AsyncDisposable & { readonly nearest: Ask }> {
	const host = quietHost(join(folder, "sqlite"));
	const storage = searchable(openStorage(host), openBlobs(host.folder, host.world), host.world);
	await storage.migrate();
	const index = storage.organisation(organisationOf(folder)).vectors(space);
	return {
		nearest: async ({ vector }, filter) =>
			(await index.nearestChunks(vector, scopeOf(filter), candidates)).slice(0, best).map(({ document }) => passageOf.get(document) ?? ""),
		[Symbol.asyncDispose]: storage.close,
	};
}

function organisationOf(folder: string): OrganisationId {
	using database = new Database(join(folder, "sqlite/cairn.sqlite"), { readonly: true });
	const row = database.query<{ readonly id: OrganisationId }, []>("SELECT id FROM organisations").get();
	if (row === null) throw new Error("the folder has no organisation");
	return row.id;
}

function bodyOf(filter: Filter): object {
	if (filter === null) return {};
	return "tag" in filter ? { containerTags: [filter.tag] } : { filters: { AND: [{ key: "category", value: filter.category }] } };
}

function scopeOf(filter: Filter): Scope {
	if (filter === null) return wholeOrganisation;
	if ("tag" in filter) return { ...wholeOrganisation, containerTags: [filter.tag] };
	return { ...wholeOrganisation, filter: { kind: "equals", key: "category", value: filter.category, negate: false, ignoreCase: false } };
}

async function ask<Answer>({ address }: Server, path: string, body: object): Promise<Answer> {
	const response = await fetch(`${address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
	if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return (await response.json()) as Answer;
}
