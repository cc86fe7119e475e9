/** Changes of files, carried out a few at a time: of one file always the last, and none while an earlier one of it is carried out. */

export type Change = "send" | "remove";

export interface Changes {
	readonly add: (name: string, change: Change) => void;
	/** Resolves when nothing waits and nothing is carried out. */
	readonly idle: () => Promise<void>;
	/** What waits is dropped. */
	readonly stop: () => void;
}

/** @param carryOut must not reject */
export function createChanges(concurrent: number, carryOut: (name: string, change: Change) => Promise<void>): Changes {
	const waiting = new Map<string, Change>();
	const running = new Set<string>();
	let idle = Promise.withResolvers<void>();
	idle.resolve();

	function next(): void {
		for (const [name, change] of waiting) {
			if (running.size >= concurrent) return;
			if (running.has(name)) continue;
			waiting.delete(name);
			running.add(name);
			void carryOut(name, change).finally(() => {
				running.delete(name);
				next();
			});
		}
		if (running.size === 0) idle.resolve();
	}

	return {
		add: (name, change) => {
			if (waiting.size === 0 && running.size === 0) idle = Promise.withResolvers();
			// Last in line again: the newest state of the file is what counts.
			waiting.delete(name);
			waiting.set(name, change);
			next();
		},
		idle: () => idle.promise,
		stop: () => {
			waiting.clear();
			next();
		},
	};
}
