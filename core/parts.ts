/** The parts that core works with: the chosen plugins, and clock, network and other surroundings. */

import { createEmbedders, type Embedders } from "./embedding-spaces/embedders.ts";
import { observedEmbedder } from "./embedding-spaces/observed-embedder.ts";
import { withObservedSearches } from "./indexes/observed-searches.ts";
import { searchable } from "./indexes/searchable.ts";
import { withListedIndexes } from "./indexes/with-indexes.ts";
import type { Digest } from "./language/fingerprint.ts";
import { createModelGateway, type ModelGateway } from "./language/model-gateway.ts";
import type { ModelPolicy } from "./language/model-policy.ts";
import type { Config } from "./plugin/config.ts";
import type { AddressReader, Chunker, Connector, Embedder, Extractor, MemoryExtractor, MemoryLinker, QueryRewriter, Reranker } from "./plugin/contract.ts";
import type { DemandReachable, GuardedFetch } from "./plugin/host.ts";
import type { Registry } from "./plugin/registry.ts";
import type { MediaTypes } from "./ports/media-types.ts";
import type { Storage } from "./ports/storage.ts";
import type { Vault } from "./ports/vault.ts";
import type { WebhookSigner } from "./ports/webhook-signer.ts";
import type { World } from "./ports/world.ts";

export interface Parts {
	/** The storage. If indexes are listed, it searches through them. */
	readonly storage: Storage;
	/** Keeps listed indexes up to date until the signal is aborted; ends at once without any. */
	readonly feedIndexes: (signal: AbortSignal) => Promise<void>;
	/** For each listed index by name: for how many seconds it has not had all changes. */
	readonly indexLag: () => Readonly<Record<string, number>>;
	readonly extractors: readonly Extractor[];
	readonly addressReaders: readonly AddressReader[];
	readonly chunkers: readonly Chunker[];
	/** The active embedder, see `embedders`. A call reads its parts once and keeps them to its end. */
	readonly embedder: Embedder;
	readonly embedders: Embedders;
	readonly memoryExtractors: readonly MemoryExtractor[];
	readonly memoryLinkers: readonly MemoryLinker[];
	/** Null when none is chosen: `rerank` then changes nothing. */
	readonly reranker: Reranker | null;
	readonly queryRewriters: readonly QueryRewriter[];
	readonly connectors: readonly Connector[];
	/** Null when no language model is configured: everything works without. */
	readonly modelGateway: ModelGateway | null;
	/** Names texts: see `Digest`. */
	readonly digest: Digest;
	readonly mediaTypes: MediaTypes;
	readonly fetch: GuardedFetch;
	/** Checks an address that a client gives for later. */
	readonly demandReachable: DemandReachable;
	readonly vault: Vault;
	readonly webhookSigner: WebhookSigner;
	readonly world: World;
}

/** Which part is used, for kinds with only one. */
export type Choice = Required<NonNullable<Config["use"]>>;

/** The name for no part, of kinds that are optional. */
export const none = "none";

export interface Environment extends Pick<Parts, "digest" | "mediaTypes" | "fetch" | "demandReachable" | "vault" | "webhookSigner" | "world"> {
	readonly modelPolicy: ModelPolicy;
	/** Whether this thread answers searches: an index that cannot be shared is opened by one thread of the program only. */
	readonly opensIndexes: boolean;
	/** The mark of the blobs that become those of the storage, whosever they were; null for none. */
	readonly blobsClaim: string | null;
}

export function chooseParts(registry: Registry, use: Choice, { modelPolicy, opensIndexes, blobsClaim, ...environment }: Environment): Parts {
	const { world } = environment;
	const chosen = observedEmbedder(registry.one("embedder", use.embedder), world);
	const embedders = createEmbedders(
		registry.all("embedder").map((embedder) => (embedder.name === chosen.name ? chosen : observedEmbedder(embedder, world))),
		chosen,
	);
	const storage = searchable(registry.one("storage", use.storage), registry.one("blobStore", use.blobStore), world, blobsClaim);
	// The first of each: those that the operator has listed come before that of a storage.
	const opened = <Index extends { readonly claim?: unknown }>([index]: readonly Index[]) => (opensIndexes || index?.claim !== undefined ? index : undefined);
	const listed = { vectorIndex: opened(registry.all("vectorIndex")), wordIndex: opened(registry.all("wordIndex")) };
	const indexed = withListedIndexes(storage, listed, { ...environment, embedders });
	return {
		...environment,
		modelGateway:
			use.languageModel === none
				? null
				: createModelGateway(
						registry.one("languageModel", use.languageModel),
						modelPolicy,
						environment.digest,
						environment.world,
						async (organisation) => (await storage.accounts.organisationAccount(organisation))?.quotas.tokensPerDay ?? null,
					),
		storage: withObservedSearches(indexed.storage, world),
		feedIndexes: indexed.feed,
		indexLag: indexed.lag,
		extractors: registry.all("extractor"),
		addressReaders: registry.all("addressReader"),
		chunkers: registry.all("chunker"),
		get embedder() {
			return embedders.active();
		},
		embedders,
		memoryExtractors: registry.all("memoryExtractor"),
		memoryLinkers: registry.all("memoryLinker"),
		reranker: use.reranker === none ? null : registry.one("reranker", use.reranker),
		queryRewriters: registry.all("queryRewriter"),
		connectors: registry.all("connector"),
	};
}
