/** The vectors of one organisation, space and kind: opened at the first search, renewed when the index on disk is. */

import type { Vector } from "cairn-memory";
import type { ChunkId } from "cairn-memory/stores";
import { removeIndex, storedClaims } from "./files/index-folder.ts";
import { type NearestRequest, nearest, type VectorCandidate } from "./nearest.ts";
import { type EachRequest, nearestOfEach } from "./nearest-of-each.ts";
import type { PartitionAddress } from "./partition-address.ts";
import { PartitionContents } from "./partition-contents.ts";
import { publishedCosines, publishedVectors } from "./published-vectors.ts";
import type { VectorsContext } from "./vectors-context.ts";

/** How often a partition looks whether another thread has built a new index. */
const lookMs = 10_000;
/** A matrix with more dead rows than this share is made anew. */
const deadShareMax = 1 / 3;

export class VectorPartition {
	readonly #address: PartitionAddress;
	readonly #context: VectorsContext;
	#contents: PartitionContents | null = null;
	#opening: Promise<PartitionContents> | null = null;
	#renewing: Promise<void> | null = null;
	/** The index that was last tried, good or bad. */
	#triedGeneration: string | null = null;
	#lookedAt = performance.now();
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
		const found = await nearest(request, contents);
		this.#renewIfWorth(contents);
		return found;
	}

	/** One after another: at the same time they would take each other's copy of a list away, see `ListRows`, and none would end sooner. */
	nearestOfEach(request: EachRequest): Promise<readonly (readonly VectorCandidate[])[]> {
		const found = this.#lastOfEach.then(() => this.#nearestOfEach(request));
		this.#lastOfEach = found.catch(() => undefined);
		return found;
	}

	async #nearestOfEach(request: EachRequest): Promise<readonly (readonly VectorCandidate[])[]> {
		const contents = this.#contents ?? (await this.#openOnce());
		const found = await nearestOfEach(request, contents);
		this.#renewIfWorth(contents);
		return found;
	}

	/** Null while it is not open: for a few vectors it is not worth opening. */
	published(ids: readonly string[]): ReturnType<typeof publishedVectors> | null {
		return this.#contents === null ? null : publishedVectors(ids, this.#contents);
	}

	/** Null while it is not open. */
	cosines(query: Vector, ids: readonly ChunkId[]): ReadonlyMap<ChunkId, number> | null {
		return this.#contents === null ? null : publishedCosines(query, ids, this.#contents);
	}

	/** Reads index and tables anew, and answers from the old until done. */
	renew(): Promise<void> {
		this.#renewing ??= this.#replace().finally(() => {
			this.#renewing = null;
		});
		return this.#renewing;
	}

	/** Finds out what has gone from the tables. @returns the share of dead rows; null when the partition is not open. */
	async markDeadRows(): Promise<number | null> {
		if (this.#contents === null) return null;
		await this.#contents.markDeadRows();
		return deadShare(this.#contents);
	}

	/** Resolves when nothing runs in the background any more. */
	async settle(): Promise<void> {
		await this.#renewing?.catch(() => undefined);
	}

	/** For all who search before it is open. */
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

	/** Removed at once, so that it is not tried again; `maintain` has a new one built. */
	async #distrust(reason: string): Promise<void> {
		const { kind, organisation, space } = this.#address;
		this.#context.log("warn", "a vector index cannot be used and will be rebuilt", { kind, organisation, space: space.name, reason });
		if (this.#context.canBuild) await removeIndex(this.#context.folder, this.#address, null);
	}

	/** Does not keep the search waiting. */
	#renewIfWorth(contents: PartitionContents): void {
		if (this.#renewing) return;
		// Those of a file go when the next one is built.
		if (!contents.hasFile && deadShare(contents) > deadShareMax) this.#renewAside();
		if (contents.matrix.length <= this.#context.limits.wholeMax || performance.now() - this.#lookedAt < lookMs) return;
		this.#lookedAt = performance.now();
		void this.#lookForNewer();
	}

	async #lookForNewer(): Promise<void> {
		const claims = await storedClaims(this.#context.folder, this.#address);
		if (claims !== null && claims.generation !== this.#triedGeneration) this.#renewAside();
	}

	#renewAside(): void {
		this.renew().catch((error: unknown) => this.#context.log("warn", "vectors could not be loaded again", { error: String(error) }));
	}
}

function deadShare({ matrix }: PartitionContents): number {
	return matrix.length === 0 ? 0 : matrix.deadCount / matrix.length;
}
