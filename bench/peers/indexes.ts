/** Cairn's indexes in this process, without HTTP, the queue and the embedder: files beside SQLite, and tables in PostgreSQL that are fed from the same records. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { searchable } from "../../core/indexes/searchable.ts";
import { type ListedIndexes, withListedIndexes } from "../../core/indexes/with-indexes.ts";
import { limits } from "../../core/model/limits.ts";
import { wholeOrganisation } from "../../core/model/scope.ts";
import type { Embedder } from "../../core/plugin/contract.ts";
import type { Storage, TenantStore } from "../../core/ports/storage.ts";
import type { Log } from "../../core/ports/world.ts";
import { queryTermsOf } from "../../core/ranking/words/query-terms.ts";
import { retrieveChunks } from "../../core/search/retrieve.ts";
import { openBlobs } from "../../plugins/blobs/folder/index.ts";
import { openStorage } from "../../plugins/stores/sqlite/storage.ts";
import { createWorld } from "../../server/boot/world.ts";
import { quietHost } from "../../test/contract/quiet-host.ts";
import { createSamples, sampleDawn, sampleOrganisation } from "../../test/contract/samples.ts";
import { type Ask, batchesOf, best, candidates, type Passage } from "./peer.ts";

export interface Searches {
	/** Both indexes and core's fusion of what they find. */
	readonly hybrid: Ask;
	readonly nearest: Ask;
}

export interface Indexes extends AsyncDisposable {
	/** Stores passages as documents of a hundred, and makes both files. */
	readonly store: (passages: readonly Passage[]) => Promise<void>;
	readonly files: Searches;
	readonly tables: Searches;
	/** Feeds the tables. Searches use them once the feed knows as well that they have everything. @returns whether they have it within that time */
	readonly feed: (haveAll: () => Promise<boolean>, patienceMs: number) => Promise<boolean>;
}

const passagesPerDocument = 100;
const lookMs = 500;
/** What is less is the time of the last look for changes. */
const lagSecondsMax = 1;

/** @param listed the tables @returns what opens the indexes anew, with what was stored before */
export function indexesIn(folder: string, embedder: Embedder, listed: ListedIndexes): () => Promise<Indexes> {
	const world = createWorld({ log });
	const host = { ...quietHost(join(folder, "sqlite")), world, log };
	const samples = createSamples(8);
	const stored = new Map<string, readonly string[]>();
	const found = ({ document, position }: { readonly document: string; readonly position: number }) => stored.get(document)?.[position] ?? "";

	async function store(storage: Storage, passages: readonly Passage[]): Promise<void> {
		const { documents } = storage.organisation(sampleOrganisation);
		for (const some of batchesOf(passages, passagesPerDocument)) {
			const document = samples.makeDocument();
			const embedded = some.map(({ text, vector }, position) => ({ chunk: samples.makeChunk(document, { text, position }), vector }));
			await documents.add(document, samples.makeJob(document));
			await documents.stage(document.id, document.revision, embedder.space, embedded);
			await documents.publish(document.id, document.revision, samples.nextTime());
			stored.set(
				document.id,
				some.map(({ id }) => id),
			);
		}
		// Once for the words and once for the vectors: each run makes what is due.
		for (let i = 0; i < 2; i++) await storage.maintain(new AbortController().signal);
	}

	function searchesOf(tenant: TenantStore): Searches {
		const { space } = embedder;
		return {
			hybrid: async ({ text, vector }) => {
				const variant = { text, words: queryTermsOf(text, limits.queryWordsMax), vector, trust: 1 };
				const retrieved = await retrieveChunks([variant], wholeOrganisation, candidates, tenant, space);
				return retrieved.candidates.slice(0, best).map(({ hit }) => found(hit));
			},
			nearest: async ({ vector }) => (await tenant.vectors(space).nearestChunks(vector, wholeOrganisation, candidates)).slice(0, best).map(found),
		};
	}

	return async () => {
		const storage = searchable(openStorage(host), openBlobs(host.folder, world), world);
		await storage.migrate();
		const { accounts } = storage;
		const organisation = { id: sampleOrganisation, name: "Million", slug: "million", createdAt: sampleDawn };
		if ((await accounts.organisations()).length === 0) await accounts.addOrganisation(organisation);
		const indexed = withListedIndexes(storage, listed, { embedders: { ofSpace: () => embedder }, digest, world });
		return {
			store: (passages) => store(storage, passages),
			files: searchesOf(storage.organisation(sampleOrganisation)),
			tables: searchesOf(indexed.storage.organisation(sampleOrganisation)),
			feed: async (haveAll, patienceMs) => {
				const ending = new AbortController();
				const feeding = indexed.feed(ending.signal);
				const isBehind = () => Object.values(indexed.lag()).some((seconds) => seconds > lagSecondsMax);
				const end = performance.now() + patienceMs;
				let areFed = false;
				while (!areFed && performance.now() < end) {
					await Bun.sleep(lookMs);
					areFed = (await haveAll()) && !isBehind();
				}
				ending.abort();
				await feeding;
				return areFed;
			},
			[Symbol.asyncDispose]: storage.close,
		};
	};
}

export const log: Log = (level, message, details) => {
	if (level === "warn" || level === "error") console.error(message, details ?? "");
};

function digest(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}
