/** Passes the body of an answer on, byte for byte and no faster than the client reads it. */

import type { IncomingMessage } from "node:http";

export interface Watcher {
	readonly take: (bytes: Uint8Array) => void;
	/** Called once: at the end, or when either side breaks off. */
	readonly end: () => void;
}

export function passOn(answer: IncomingMessage, { take, end }: Watcher): ReadableStream<Uint8Array> {
	const pieces: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]();
	let isOver = false;
	const finish = () => {
		if (!isOver) end();
		isOver = true;
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
					// A connection that breaks may look like an end.
					if (!answer.complete) throw new Error("the provider broke the answer off");
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
