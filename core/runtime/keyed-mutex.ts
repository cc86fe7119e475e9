/** A mutex per key; callers run in the order in which they asked. Used where a container's memories must change one after another. */

import type { OrganisationId } from "../model/id.ts";
import type { Json } from "../model/json.ts";
import { limits } from "../model/limits.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";

/**
 * @param sharedIn the organisation whose programs all wait for each other, if several may use the storage. Without it the key belongs to
 * this program.
 */
export type KeyedMutex = <Result>(key: string, run: () => Promise<Result>, sharedIn?: OrganisationId) => Promise<Result>;

export function createKeyedMutex(): KeyedMutex {
	const tails = new Map<string, Promise<unknown>>();
	return async (key, run) => {
		const before = tails.get(key) ?? Promise.resolve();
		const mine = before.then(run, run);
		const tail = mine.catch(() => undefined);
		tails.set(key, tail);
		try {
			return await mine;
		} finally {
			if (tails.get(key) === tail) tails.delete(key);
		}
	};
}

/** How long others wait before they ask again; a save of memories takes some hundredths of a second. */
const askEveryMs = { least: 10, most: 60 } as const;

interface SharedParts {
	readonly storage: Pick<Storage, "organisation" | "supports">;
	readonly world: Pick<World, "steadyNow" | "sleep" | "random" | "log">;
}

/**
 * Where several programs write, a key that is shared is a record that only one of them can create. It expires, so that the end of a
 * program ends its locks; until then it is renewed.
 */
export function createSharedMutex({ storage, world }: SharedParts): KeyedMutex {
	const own = createKeyedMutex();
	if (!storage.supports.manyWriters) return own;
	return (key, run, sharedIn) => own(key, sharedIn === undefined ? run : () => underLock(key, run, storage.organisation(sharedIn).records, world));
}

/** Runs under a lock that all threads and programs of the storage share. Those of one key run one after another, in no certain order. */
export async function underLock<Result>(key: string, run: () => Promise<Result>, records: RecordStore, world: SharedParts["world"]): Promise<Result> {
	let version: number | null = null;
	const ended = new AbortController();
	const put = (expected: number, forMs: number) => {
		const now = world.steadyNow();
		return records.put("lock", key, {} satisfies Json, { expected, expiresAt: new Date(now.getTime() + forMs), now });
	};
	for (version = await put(0, limits.leaseMs); version === null; version = await put(0, limits.leaseMs))
		await world.sleep(askEveryMs.least + world.random() * (askEveryMs.most - askEveryMs.least), ended.signal);
	const renewing = renewUntilEnded();
	try {
		return await run();
	} finally {
		ended.abort();
		await renewing;
		// With a lock that was lost meanwhile nothing is written.
		if (version !== null)
			await put(version, 0).catch((thrown: unknown) => world.log("warn", "a lock could not be ended; it expires", { reason: String(thrown) }));
	}

	async function renewUntilEnded(): Promise<void> {
		while (!ended.signal.aborted) {
			await world.sleep(limits.leaseMs / 3, ended.signal);
			if (!ended.signal.aborted && version !== null) version = await put(version, limits.leaseMs).catch(() => version);
		}
	}
}
