/** A mutex per key; callers run in the order in which they asked. Used where a container's memories must change one after another. */

export type KeyedMutex = <Result>(key: string, run: () => Promise<Result>) => Promise<Result>;

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
