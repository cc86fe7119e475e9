/** Notifies listeners in this program and in others that something was written: once for all writes of a short time. A notification may get lost. */

import type { PostgresConnection } from "./connection.ts";

/** Whether a job was added as well. */
export type Written = "job" | "other";

/** How long changes are collected before listeners are notified. */
const notifyAfterMs = 20;

export interface WriteHint {
	readonly tell: (written: Written) => void;
	/** @returns a function that stops it. */
	readonly listen: (listener: () => void) => () => void;
	/** The same for writes that have added a job. */
	readonly listenForJobs: (listener: () => void) => () => void;
	readonly close: () => Promise<void>;
}

export function writeHint({ notify, onNotified }: Pick<PostgresConnection, "notify" | "onNotified">): WriteHint {
	const listeners = { job: new Set<() => void>(), other: new Set<() => void>() };
	let timer: ReturnType<typeof setTimeout> | null = null;
	let collected: Written = "other";
	let telling: Promise<void> = Promise.resolve();
	const call = (written: Written) => {
		for (const listener of listeners.other) listener();
		if (written === "job") for (const listener of listeners.job) listener();
	};
	const listenTo = (written: Written) => (listener: () => void) => {
		listeners[written].add(listener);
		return () => listeners[written].delete(listener);
	};
	onNotified(call);

	return {
		tell(written) {
			if (written === "job") collected = "job";
			timer ??= setTimeout(() => {
				const told = collected;
				timer = null;
				collected = "other";
				call(told);
				// If it fails, the others find the change by polling.
				telling = notify(told).catch(() => undefined);
			}, notifyAfterMs);
		},
		listen: listenTo("other"),
		listenForJobs: listenTo("job"),
		async close() {
			if (timer !== null) clearTimeout(timer);
			await telling;
		},
	};
}
