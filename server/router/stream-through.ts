/** Streams the body of a provider's response to the client unchanged, and no faster than the client reads it. */

import type { IncomingMessage } from "node:http";

export interface BodyObserver {
	/** Called with each chunk of the body. */
	readonly onChunk: (bytes: Uint8Array) => void;
	/** Called once: at the end, or when either side disconnects. */
	readonly onEnd: () => void;
}

export function streamThrough(response: IncomingMessage, { onChunk, onEnd }: BodyObserver): ReadableStream<Uint8Array> {
	const chunks: AsyncIterator<Uint8Array> = response[Symbol.asyncIterator]();
	let isFinished = false;
	const finish = () => {
		if (!isFinished) onEnd();
		isFinished = true;
	};
	return new ReadableStream(
		{
			pull: async (controller) => {
				try {
					const { value, done } = await chunks.next();
					if (done !== true) {
						onChunk(value);
						return controller.enqueue(value);
					}
					// A broken connection can look like the end of the body.
					if (!response.complete) throw new Error("the provider's response was cut off");
					controller.close();
					finish();
				} catch (thrown) {
					finish();
					controller.error(thrown);
				}
			},
			cancel: () => {
				finish();
				response.destroy();
			},
		},
		{ highWaterMark: 0 },
	);
}
