/** The vectors of one organisation, space and kind. They are loaded at the first search, and again after a new index was built. */

import type { Vector } from "cairn-memory";
import type { ChunkId } from "cairn-memory/stores";
import { removeIndex, storedManifest } from "./files/index-folder.ts";
import { type NearestRequest, nearest, type VectorCandidate } from "./nearest.ts";
import { type EachRequest, nearestOfEach } from "./nearest-of-each.ts";
import type { PartitionAddress } from "./partition-address.ts";
import { PartitionContents } from "./partition-contents.ts";
import { publishedCosines, publishedVectors } from "./published-vectors.ts";
import type { VectorsContext } from "./vectors-context.ts";

/** How often a partition checks whether another thread has built a new index. */
const checkEveryMs = 10_000;
/** A matrix with a larger share of dead rows is loaded again. Those of an index file do not count: they disappear when the next one is built. */
const deadShareMax = 1 / 3;

export class VectorPartition {
	readonly #address: PartitionAddress;
	readonly #context: VectorsContext;
	#contents: PartitionContents | null = null;
	#opening: Promise<PartitionContents> | null = null;
	#renewing: Promise<void> | null = null;
	/** The index that was last loaded, or found faulty. */
	#triedGeneration: string | null = null;
	#checkedAt = performance.now();
	#lastOfEach: Promise<unknown> = Promise.resolve();

	constructor(address: PartitionAddress, context: VectorsContext) {
		this.#address = address;
		this.#context = context;
	}

	get byteLength(): number {
		return this.#contents?.byteLength ?? 0;
	}

	/** Copies of rows, which only make searches of lists quicker. */
	dropCopies(): void {
		this.#contents?.dropCopies();
	}

	async nearest(request: NearestRequest): Promise<readonly VectorCandidate[]> {
		const contents = this.#contents ?? (await this.#openOnce());
		const found = await nearest(request, contents);
		this.#renewIfDue(contents);
		return found;
	}

	/** Runs one at a time: concurrent calls would replace each other's copy of a list, see `ListRows`, and none would end sooner. */
	nearestOfEach(request: EachRequest): Promise<readonly (readonly VectorCandidate[])[]> {
		const found = this.#lastOfEach.then(() => this.#nearestOfEach(request));
		this.#lastOfEach = found.catch(() => undefined);
		return found;
	}

	async #nearestOfEach(request: EachRequest): Promise<readonly (readonly VectorCandidate[])[]> {
		const contents = this.#contents ?? (await this.#openOnce());
		const found = await nearestOfEach(request, contents);
		this.#renewIfDue(contents);
		return found;
	}

	/** Null if the partition is not open; it is not opened for a few vectors. */
	published(ids: readonly string[]): ReturnType<typeof publishedVectors> | null {
		return this.#contents === null ? null : publishedVectors(ids, this.#contents);
	}

	/** Null if the partition is not open. */
	cosines(query: Vector, ids: readonly ChunkId[]): ReadonlyMap<ChunkId, number> | null {
		return this.#contents === null ? null : publishedCosines(query, ids, this.#contents);
	}

	/** Loads the index and the tables again. Searches use the old data until then. */
	renew(): Promise<void> {
		this.#renewing ??= this.#replace().finally(() => {
			this.#renewing = null;
		});
		return this.#renewing;
	}

	/** Marks rows whose vectors are deleted from the tables. @returns the share of dead rows; null if the partition is not open. */
	async markDeadRows(): Promise<number | null> {
		if (this.#contents === null) return null;
		await this.#contents.markDeadRows();
		return deadShare(this.#contents);
	}

	/** Resolves when no background work is left. */
	async settle(): Promise<void> {
		await this.#renewing?.catch(() => undefined);
	}

	/** Opens the partition once, also for concurrent searches. */
	#openOnce(): Promise<PartitionContents> {
		this.#opening ??= this.#open()
			.then((contents) => {
				this.#contents ??= contents;
				return this.#contents;
			})
			.finally(() => {
				this.#opening = null;
			});
		return this.#opening;
	}

	async #replace(): Promise<void> {
		const contents = await this.#open();
		await contents.fill();
		this.#contents = contents;
	}

	async #open(): Promise<PartitionContents> {
		this.#triedGeneration = (await storedManifest(this.#context.folder, this.#address))?.generation ?? null;
		return PartitionContents.open(this.#address, this.#context, (reason) => this.#distrust(reason));
	}

	/** Removes a faulty index, so that it is not loaded again. `maintain` builds a new one. */
	async #distrust(reason: string): Promise<void> {
		const { kind, organisation, space } = this.#address;
		this.#context.log("warn", "a vector index cannot be used and will be rebuilt", { kind, organisation, space: space.name, reason });
		if (this.#context.canBuild) await removeIndex(this.#context.folder, this.#address);
	}

	/** Renews the partition in the background if necessary. */
	#renewIfDue(contents: PartitionContents): void {
		if (this.#renewing) return;
		if (deadShare(contents) > deadShareMax) this.#renewInBackground();
		// A thread that only extracts memories searches few of its rows, so it would meet few of the dead ones.
		else if (contents.mayHaveManyDead) this.#markInBackground(contents);
		if (contents.matrix.length <= this.#context.limits.wholeMax || performance.now() - this.#checkedAt < checkEveryMs) return;
		this.#checkedAt = performance.now();
		void this.#checkForNewIndex();
	}

	async #checkForNewIndex(): Promise<void> {
		const manifest = await storedManifest(this.#context.folder, this.#address);
		if (manifest !== null && manifest.generation !== this.#triedGeneration) this.#renewInBackground();
	}

	#markInBackground(contents: PartitionContents): void {
		contents.markDeadRows().catch((error: unknown) => this.#context.log("warn", "deleted vectors could not be looked for", { error: String(error) }));
	}

	#renewInBackground(): void {
		this.renew().catch((error: unknown) => this.#context.log("warn", "vectors could not be loaded again", { error: String(error) }));
	}
}

function deadShare({ matrix }: PartitionContents): number {
	return matrix.length === 0 ? 0 : matrix.deadCount / matrix.length;
}
