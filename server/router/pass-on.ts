/** Passes the body of a response on unchanged, and no faster than the client reads it. */

import type { IncomingMessage } from "node:http";

export interface Watcher {
	readonly take: (bytes: Uint8Array) => void;
	/** Called once: at the end, or when either side disconnects. */
	readonly end: () => void;
}

export function passOn(answer: IncomingMessage, { take, end }: Watcher): ReadableStream<Uint8Array> {
	const pieces: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]();
	let isFinished = false;
	const finish = () => {
		if (!isFinished) end();
		isFinished = true;
	};
	return new ReadableStream(
		{
			pull: async (controller) => {
				try {
					const { value, done } = await pieces.next();
					if (done !== true) {
						take(value);
						return controller.enqueue(value);
					}
					// A broken connection can look like the end of the body.
					if (!answer.complete) throw new Error("the provider's response was cut off");
					controller.close();
					finish();
				} catch (thrown) {
					finish();
					controller.error(thrown);
				}
			},
			cancel: () => {
				finish();
				answer.destroy();
			},
		},
		{ highWaterMark: 0 },
	);
}
