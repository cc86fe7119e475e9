/** Feeds an index from the store's log of changes, page by page, for as long as the server runs. */

import type { DerivedIndex, IndexCollection } from "../plugin/contract.ts";
import type { Changed, IndexSource } from "../ports/index-source.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { createNotifier, notifiedWithin } from "../runtime/notifier.ts";
import type { CollectionAddress, Collections } from "./collections.ts";

export interface FeedParts<Content, Entry> {
	readonly index: Pick<DerivedIndex<IndexCollection<Entry>>, "name">;
	readonly storage: Pick<Storage, "onWritten">;
	readonly collections: Collections<IndexCollection<Entry>>;
	/** All collections that should exist. */
	readonly addresses: () => Promise<readonly CollectionAddress[]>;
	readonly sourceOf: (address: CollectionAddress) => Pick<IndexSource<Content>, "changesSince">;
	readonly entryOf: (changed: Changed<Content>) => Entry;
	readonly world: World;
}

/** Changes read without a pause: about 3 ms of the server's thread. */
const changesAtOnce = 500;
/** After this long other work gets its turn: there may be thousands of organisations. */
const breathMs = 5;
/** A pause, so that changes come in pages and not one by one. */
const lookEveryMs = 250;
/** Where the storage reports its writes, this only repairs what went wrong elsewhere. */
const lookAtLeastEveryMs = 5_000;
/** The position is stored this often even without changes, so that the log does not discard what follows it. */
const noteEveryMs = 10 * 60_000;
/** After so many failures in a row a collection is built anew. */
const failuresMax = 3;
const restAfterFailureMs = 2_000;

/** Runs until the signal is aborted. */
export async function feedCollections<Content, Entry>(parts: FeedParts<Content, Entry>, signal: AbortSignal): Promise<void> {
	const { storage, collections, index, world } = parts;
	const changed = createNotifier();
	const stopListening = storage.onWritten?.(changed.notify);
	const failures = new Map<string, number>();
	const notedAt = new Map<string, number>();
	while (!signal.aborted) {
		const isAtEnd = await round().catch(async (thrown: unknown) => {
			warn("an index could not be tended", thrown);
			await world.sleep(restAfterFailureMs, signal);
			return true;
		});
		if (!isAtEnd) {
			await world.sleep(1, signal);
			continue;
		}
		await world.sleep(lookEveryMs, signal);
		await notifiedWithin(changed, stopListening === undefined ? lookEveryMs : lookAtLeastEveryMs, world, signal);
	}
	stopListening?.();

	/** Feeds one page to each collection, so that a large one does not delay the others. @returns whether all are up to date. */
	async function round(): Promise<boolean> {
		const addresses = await parts.addresses();
		await collections.keepOnly(addresses);
		let isAtEnd = true;
		let since = world.elapsedMs();
		for (const address of addresses) {
			if (signal.aborted) return true;
			if (world.elapsedMs() - since > breathMs) {
				await world.sleep(1, signal);
				since = world.elapsedMs();
			}
			if (!(await page(address))) isAtEnd = false;
		}
		return isAtEnd;
	}

	async function page(address: CollectionAddress): Promise<boolean> {
		const key = `${address.kind} ${address.organisation} ${address.space?.name ?? ""}`;
		try {
			const isAtEnd = await feed(address, key);
			failures.delete(key);
			return isAtEnd;
		} catch (thrown) {
			const count = (failures.get(key) ?? 0) + 1;
			failures.set(key, count);
			if (count === 1) warn("an index could not be fed; the storage answers in its place", thrown);
			const state = await collections.state(address).catch(() => null);
			if (state !== null) state.isBehind = true;
			if (count % failuresMax === 0) await collections.drop(address).catch(() => undefined);
			return true;
		}
	}

	async function feed(address: CollectionAddress, key: string): Promise<boolean> {
		const state = await collections.state(address);
		const changes = await parts.sourceOf(address).changesSince(address.kind, state.position, changesAtOnce);
		if (changes === null) {
			world.log("info", "an index is made anew: the log of changes does not reach back to it", { index: index.name, kind: address.kind });
			await collections.drop(address);
			return false;
		}
		const { put, gone, position, isAtEnd } = changes;
		const isDue = state.collection !== null && world.elapsedMs() - (notedAt.get(key) ?? Number.NEGATIVE_INFINITY) > noteEveryMs;
		if (put.length > 0 || (gone.length > 0 && state.collection !== null) || isDue) {
			const collection = await collections.opened(address);
			await collection.apply({ put: put.map(parts.entryOf), remove: gone, position });
			notedAt.set(key, world.elapsedMs());
		}
		// What is published later is in the log again, so a collection that would be empty need not be opened.
		state.position = position;
		state.isBehind = !isAtEnd;
		return isAtEnd;
	}

	function warn(message: string, thrown: unknown): void {
		world.log("warn", message, { index: index.name, reason: thrown instanceof Error ? thrown.message : String(thrown) });
	}
}
