/** The vectors of one organisation, space and kind. They are loaded at the first search, and again when there is a new index on the disk. */

import type { Vector } from "cairn-memory";
import type { ChunkId } from "cairn-memory/stores";
import { removeIndex, storedClaims } from "./files/index-folder.ts";
import { type NearestRequest, nearest, type VectorCandidate } from "./nearest.ts";
import { type EachRequest, nearestOfEach } from "./nearest-of-each.ts";
import type { PartitionAddress } from "./partition-address.ts";
import { PartitionContents } from "./partition-contents.ts";
import { publishedCosines, publishedVectors } from "./published-vectors.ts";
import type { VectorsContext } from "./vectors-context.ts";

/** How often a partition checks whether another thread has built a new index. */
const checkMs = 10_000;
/** A matrix with a larger share of dead rows is rebuilt. */
const deadShareMax = 1 / 3;

export class VectorPartition {
	readonly #address: PartitionAddress;
	readonly #context: VectorsContext;
	#contents: PartitionContents | null = null;
	#opening: Promise<PartitionContents> | null = null;
	#renewing: Promise<void> | null = null;
	/** The generation of the index that was tried last, usable or not. */
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

	async nearest(request: NearestRequest): Promise<readonly VectorCandidate[]> {
		const contents = this.#contents ?? (await this.#openOnce());
		const found = await nearest(request, contents, this.#address, this.#context);
		this.#renewIfNeeded(contents);
		return found;
	}

	/** These searches run one after another. Concurrent ones would replace each other's copied list, see `ListRows`, and none would end sooner. */
	nearestOfEach(request: EachRequest): Promise<readonly (readonly VectorCandidate[])[]> {
		const found = this.#lastOfEach.then(() => this.#nearestOfEach(request));
		this.#lastOfEach = found.catch(() => undefined);
		return found;
	}

	async #nearestOfEach(request: EachRequest): Promise<readonly (readonly VectorCandidate[])[]> {
		const contents = this.#contents ?? (await this.#openOnce());
		const found = await nearestOfEach(request, contents, this.#address, this.#context);
		this.#renewIfNeeded(contents);
		return found;
	}

	/** Null while the partition is not open: opening it does not pay for a few vectors. */
	published(ids: readonly string[]): ReturnType<typeof publishedVectors> | null {
		return this.#contents === null ? null : publishedVectors(ids, this.#contents, this.#address, this.#context);
	}

	/** Null while the partition is not open. */
	cosines(query: Vector, ids: readonly ChunkId[]): ReadonlyMap<ChunkId, number> | null {
		return this.#contents === null ? null : publishedCosines(query, ids, this.#contents, this.#context);
	}

	/** Loads the index and the tables again. Searches use the old contents until it is done. */
	renew(): Promise<void> {
		this.#renewing ??= this.#replace().finally(() => {
			this.#renewing = null;
		});
		return this.#renewing;
	}

	/** Marks rows that were deleted from the tables. @returns the share of dead rows; null if the partition is not open. */
	async markDeadRows(): Promise<number | null> {
		if (this.#contents === null) return null;
		await this.#contents.markDeadRows();
		return deadShare(this.#contents);
	}

	/** Resolves when nothing runs in the background. */
	async settle(): Promise<void> {
		await this.#renewing?.catch(() => undefined);
	}

	/** Opens the contents once for all searches that wait for them. */
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
		this.#triedGeneration = (await storedClaims(this.#context.folder, this.#address))?.generation ?? null;
		return PartitionContents.open(this.#address, this.#context, (reason) => this.#distrust(reason));
	}

	/** Removes an index that cannot be used, so that it is not tried again. The maintenance builds a new one. */
	async #distrust(reason: string): Promise<void> {
		const { kind, organisation, space } = this.#address;
		this.#context.log("warn", "a vector index cannot be used and will be rebuilt", { kind, organisation, space: space.name, reason });
		if (this.#context.canBuild) await removeIndex(this.#context.folder, this.#address, null);
	}

	/** Starts a renewal if it pays. The search does not wait for it. */
	#renewIfNeeded(contents: PartitionContents): void {
		if (this.#renewing) return;
		// Dead rows of an index file are removed when the file is rebuilt.
		if (!contents.hasFile && deadShare(contents) > deadShareMax) this.#renewInBackground();
		if (contents.matrix.length <= this.#context.limits.wholeMax || performance.now() - this.#checkedAt < checkMs) return;
		this.#checkedAt = performance.now();
		void this.#checkForNewIndex();
	}

	async #checkForNewIndex(): Promise<void> {
		const claims = await storedClaims(this.#context.folder, this.#address);
		if (claims !== null && claims.generation !== this.#triedGeneration) this.#renewInBackground();
	}

	#renewInBackground(): void {
		this.renew().catch((error: unknown) => this.#context.log("warn", "vectors could not be loaded again", { error: String(error) }));
	}
}

function deadShare({ matrix }: PartitionContents): number {
	return matrix.length === 0 ? 0 : matrix.deadCount / matrix.length;
}
