/** Tells listeners in this program and in others that something was written, soon after it and not for each write. A hint: it may get lost. */

import type { PostgresConnection } from "./connection.ts";

/** How long changes are collected before listeners are notified. */
const notifyAfterMs = 20;

export interface WriteHint {
	readonly tell: () => void;
	/** @returns a function that stops it. */
	readonly listen: (listener: () => void) => () => void;
	readonly close: () => Promise<void>;
}

export function writeHint({ notify, onNotified }: Pick<PostgresConnection, "notify" | "onNotified">): WriteHint {
	const listeners = new Set<() => void>();
	let timer: ReturnType<typeof setTimeout> | null = null;
	let telling: Promise<void> = Promise.resolve();
	const callAll = () => {
		for (const listener of listeners) listener();
	};
	onNotified(callAll);

	return {
		tell() {
			timer ??= setTimeout(() => {
				timer = null;
				callAll();
				// Others ask from time to time anyway.
				telling = notify().catch(() => undefined);
			}, notifyAfterMs);
		},
		listen(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async close() {
			if (timer !== null) clearTimeout(timer);
			await telling;
		},
	};
}
