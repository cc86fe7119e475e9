/** Feeds an index from the store's change log, page by page, for as long as the server runs. */

import type { DerivedIndex, IndexCollection } from "../plugin/contract.ts";
import type { Changed, IndexSource } from "../ports/index-source.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { createNotifier, notifiedWithin } from "../runtime/notifier.ts";
import type { CollectionAddress, Collections } from "./collections.ts";

export interface FeedParts<Content, Entry> {
	readonly index: Pick<DerivedIndex<IndexCollection<Entry>>, "name" | "claim">;
	readonly storage: Pick<Storage, "onWritten">;
	readonly collections: Collections<IndexCollection<Entry>>;
	/** All collections that should exist. */
	readonly addresses: () => Promise<readonly CollectionAddress[]>;
	readonly sourceOf: (address: CollectionAddress) => Pick<IndexSource<Content>, "changesSince">;
	readonly entryOf: (changed: Changed<Content>) => Entry;
	readonly world: World;
	/** Called after each round, with the seconds for which the index has not had all changes. */
	readonly reportLag: (seconds: number) => void;
}

/** Changes read without a pause: this takes the server's thread about 3 ms. */
const changesAtOnce = 500;
/** It yields to other work after this long: there may be thousands of organisations. */
const yieldAfterMs = 5;
/** The pause between two rounds, so that changes come in pages and not one by one. */
const checkEveryMs = 250;
/** If the storage reports its writes, this longer interval is enough: it only makes up for a report that was lost. */
const checkAtLeastEveryMs = 5_000;
/** The position is stored this often even without changes. The log keeps only the changes after stored positions. */
const storePositionEveryMs = 10 * 60_000;
/** After this many failures in a row a collection is rebuilt. */
const failuresMax = 3;
const pauseAfterFailureMs = 2_000;

/** Runs until the signal is aborted. */
export async function feedCollections<Content, Entry>(parts: FeedParts<Content, Entry>, signal: AbortSignal): Promise<void> {
	const { storage, collections, index, world } = parts;
	const changed = createNotifier();
	const stopListening = storage.onWritten?.(changed.notify);
	const failures = new Map<string, number>();
	const storedAt = new Map<string, number>();
	let currentAt = world.elapsedMs();
	let isFeeder = index.claim === undefined;
	while (!signal.aborted) {
		const isAtEnd = await runRound().catch(async (thrown: unknown) => {
			warn("an index could not be kept up to date", thrown);
			failures.set("", 1);
			await world.sleep(pauseAfterFailureMs, signal);
			return true;
		});
		if (isAtEnd && failures.size === 0) currentAt = world.elapsedMs();
		parts.reportLag((world.elapsedMs() - currentAt) / 1_000);
		if (!isAtEnd) {
			await world.sleep(1, signal);
			continue;
		}
		await world.sleep(checkEveryMs, signal);
		await notifiedWithin(changed, stopListening === undefined ? checkEveryMs : checkAtLeastEveryMs, world, signal);
	}
	stopListening?.();

	/** Feeds one page to each collection, so that a large one does not delay the others, then drops those that should not exist. @returns whether all are up to date. */
	async function runRound(): Promise<boolean> {
		if (!(await claims())) return true;
		const addresses = await parts.addresses();
		forgetGone(new Set(addresses.map(keyOf)));
		let isAtEnd = true;
		let since = world.elapsedMs();
		for (const address of addresses) {
			if (signal.aborted) return true;
			if (world.elapsedMs() - since > yieldAfterMs) {
				await world.sleep(1, signal);
				since = world.elapsedMs();
			}
			if (!(await feedPage(address))) isAtEnd = false;
		}
		await collections.keepOnly(addresses);
		failures.delete("");
		return isAtEnd;
	}

	/** Whether this program feeds the index. While another one does, and when this one takes over, positions are read again. */
	async function claims(): Promise<boolean> {
		if (index.claim === undefined) return true;
		const claimed = await index.claim();
		if (!claimed || !isFeeder) await collections.refresh();
		isFeeder = claimed;
		return claimed;
	}

	async function feedPage(address: CollectionAddress): Promise<boolean> {
		const key = keyOf(address);
		try {
			// The last try may have succeeded nevertheless, or another program has done it.
			if (failures.has(key) && index.claim !== undefined) await collections.reload(address);
			const isAtEnd = await feed(address, key);
			failures.delete(key);
			return isAtEnd;
		} catch (thrown) {
			const count = (failures.get(key) ?? 0) + 1;
			failures.set(key, count);
			if (count === 1) warn("an index could not be fed; the storage answers searches instead", thrown);
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
			world.log("info", "an index is rebuilt: the change log no longer reaches back to its position", { index: index.name, kind: address.kind });
			await collections.drop(address);
			return false;
		}
		const { put, gone, position, isAtEnd } = changes;
		const isDue = world.elapsedMs() - (storedAt.get(key) ?? Number.NEGATIVE_INFINITY) > storePositionEveryMs;
		const hasCaughtUp = state.isBehind && isAtEnd;
		if (put.length > 0 || (state.collection !== null && (gone.length > 0 || isDue || hasCaughtUp))) {
			const collection = await collections.open(address);
			await collection.apply({ put: put.map(parts.entryOf), remove: gone, position, moreFollow: !isAtEnd });
			storedAt.set(key, world.elapsedMs());
		}
		// Later changes are in the log again, so an empty collection need not be opened for its position alone.
		state.position = position;
		state.isBehind = !isAtEnd;
		return isAtEnd;
	}

	/** What is known of collections whose organisation or space was removed. */
	function forgetGone(keys: ReadonlySet<string>): void {
		for (const known of [failures, storedAt]) for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
	}

	function warn(message: string, thrown: unknown): void {
		world.log("warn", message, { index: index.name, reason: thrown instanceof Error ? thrown.message : String(thrown) });
	}
}

function keyOf({ kind, organisation, space }: CollectionAddress): string {
	return `${kind} ${organisation} ${space?.name ?? ""}`;
}
