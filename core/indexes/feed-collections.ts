/** Feeds a vector index from the store's log of changes, page by page, for as long as the server runs. */

import type { Embedders } from "../embedding-spaces/embedders.ts";
import type { VectorIndex } from "../plugin/contract.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { createNotifier, notifiedWithin } from "../runtime/notifier.ts";
import type { CollectionAddress, Collections } from "./collections.ts";

export interface FeedParts {
	readonly index: VectorIndex;
	readonly storage: Storage;
	readonly collections: Collections;
	readonly embedders: Pick<Embedders, "ofSpace">;
	readonly world: World;
}

/** Read without a pause: about 3 ms of the thread that answers. */
const changesAtOnce = 500;
/** What has been written meanwhile comes in one page, and not each document alone. */
const lookEveryMs = 250;
/** Where the storage tells of what is written, this only mends what went wrong elsewhere. */
const lookAtLeastEveryMs = 5_000;
/** A place in the log that nothing happened at is noted this often, so that it is not forgotten by the log. */
const noteEveryMs = 10 * 60_000;
/** After so many failures one after the other a collection is made anew. */
const failuresMax = 3;
const restAfterFailureMs = 2_000;

/** Runs until the signal is aborted. */
export async function feedCollections({ storage, collections, embedders, index, world }: FeedParts, signal: AbortSignal): Promise<void> {
	const changed = createNotifier();
	const stopListening = storage.onWritten?.(changed.notify);
	const failures = new Map<string, number>();
	const notedAt = new Map<string, number>();
	while (!signal.aborted) {
		const isAtEnd = await round().catch(async (thrown: unknown) => {
			warn("a vector index could not be tended", thrown);
			await world.sleep(restAfterFailureMs, signal);
			return true;
		});
		if (!isAtEnd) continue;
		await world.sleep(lookEveryMs, signal);
		await notifiedWithin(changed, stopListening === undefined ? lookEveryMs : lookAtLeastEveryMs, world, signal);
	}
	stopListening?.();

	/** One page for each collection, so that a large one keeps no other waiting. @returns whether all have come to the end. */
	async function round(): Promise<boolean> {
		const addresses = await wanted();
		await collections.keepOnly(addresses);
		let isAtEnd = true;
		for (const address of addresses) {
			if (signal.aborted) return true;
			if (!(await page(address))) isAtEnd = false;
		}
		return isAtEnd;
	}

	/** Also those of spaces that nobody searches now: what is removed goes from all of them. */
	async function wanted(): Promise<readonly CollectionAddress[]> {
		const spaces = (await storage.spaces.names()).flatMap((name) => embedders.ofSpace(name)?.space ?? []);
		const organisations = await storage.accounts.organisations();
		return organisations.flatMap(({ id }) =>
			spaces.flatMap((space) => (["chunk", "memory"] as const).map((kind) => ({ organisation: id, space, kind }) satisfies CollectionAddress)),
		);
	}

	async function page(address: CollectionAddress): Promise<boolean> {
		const key = `${address.kind} ${address.organisation} ${address.space.name}`;
		try {
			const isAtEnd = await feed(address, key);
			failures.delete(key);
			return isAtEnd;
		} catch (thrown) {
			const count = (failures.get(key) ?? 0) + 1;
			failures.set(key, count);
			if (count === 1) warn("a vector index could not be fed; the storage answers in its place", thrown);
			const state = await collections.state(address).catch(() => null);
			if (state !== null) state.isBehind = true;
			if (count % failuresMax === 0) await collections.drop(address).catch(() => undefined);
			return true;
		}
	}

	async function feed(address: CollectionAddress, key: string): Promise<boolean> {
		const state = await collections.state(address);
		const source = storage.vectorSource(address.organisation, address.space);
		const changes = await source.changesSince(address.kind, state.position, changesAtOnce);
		if (changes === null) {
			world.log("info", "a vector index is made anew: the log of changes does not reach back to it", { index: index.name, kind: address.kind });
			await collections.drop(address);
			return false;
		}
		const { put, gone, position, isAtEnd } = changes;
		const isDue = state.collection !== null && world.elapsedMs() - (notedAt.get(key) ?? Number.NEGATIVE_INFINITY) > noteEveryMs;
		if (put.length > 0 || (gone.length > 0 && state.collection !== null) || isDue) {
			const collection = await collections.opened(address);
			await collection.apply({ put, remove: gone, position });
			notedAt.set(key, world.elapsedMs());
		}
		if (state.collection !== null) state.position = position;
		state.isBehind = !isAtEnd;
		return isAtEnd;
	}

	function warn(message: string, thrown: unknown): void {
		world.log("warn", message, { index: index.name, reason: thrown instanceof Error ? thrown.message : String(thrown) });
	}
}
