/** What a command prints on standard output. Written at the speed of its reader: a pipe takes 64 kB at once, and exiting earlier would cut off the rest. */

export interface CommandOutput {
	readonly write: (text: string) => void;
	/** Waits until everything is written. A reader that has gone away, as `head` does, has read enough. @throws what the system throws, on a full disk for example */
	readonly finish: () => Promise<void>;
}

export function createCommandOutput(): CommandOutput {
	let written: Promise<unknown> = Promise.resolve();
	return {
		write: (text) => {
			written = written.then(() => Bun.write(Bun.stdout, text));
			// It is thrown when the command ends; until then it is not an unhandled rejection.
			written.catch(() => undefined);
		},
		finish: async () => {
			try {
				await written;
			} catch (thrown) {
				if ((thrown as NodeJS.ErrnoException).code !== "EPIPE") throw thrown;
			}
		},
	};
}
