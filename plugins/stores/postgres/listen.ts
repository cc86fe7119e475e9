/** Listens to a channel of notifications on a line of its own, and on another one when that is lost. */

import type { Line } from "./lines.ts";

export interface Listening {
	readonly open: (onnotify: (channel: string, message: string) => void, onLost: () => void) => Line;
	readonly channel: string;
	readonly hear: (message: string) => void;
	/** Called each time it begins to listen. */
	readonly onBegun: () => void;
	readonly log: (level: "warn", message: string) => void;
}

const againAfterMs = 1_000;

export function listenOn({ open, channel, hear, onBegun, log }: Listening): { readonly end: () => Promise<void> } {
	let line: Line | null = null;
	let timer: ReturnType<typeof setTimeout> | null = null;
	let isEnded = false;
	begin();

	function begin(): void {
		const opened = open((_channel, message) => hear(message), again);
		line = opened;
		opened.run(`LISTEN ${channel}`).then(onBegun, (thrown: unknown) => {
			// A database that is away is told by whoever asks it next.
			if (!opened.isBroken()) log("warn", `changes by other programs are only noticed by asking: ${String(thrown)}`);
		});
	}

	function again(): void {
		line?.end(0).catch(() => undefined);
		if (!isEnded) timer = setTimeout(begin, againAfterMs);
	}

	return {
		end: async () => {
			isEnded = true;
			if (timer !== null) clearTimeout(timer);
			await line?.end(0);
		},
	};
}
