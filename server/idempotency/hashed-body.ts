/** Hashes the body of a request while its route reads it, so that files are still streamed. */

import { createBodyHash } from "./body-hash.ts";

export interface HashedBody {
	/** A copy of the request for the route, because the original's body is read here. */
	readonly request: Request;
	/** Reads the rest of the body, and returns the hash of the whole. Rejects if the client aborts. */
	readonly digest: () => Promise<string>;
}

/** Returned instead of the hash if the body is longer than any route reads; the rest is not read. */
const tooLong = "longer than any body that is read";

export function hashBody(request: Request, bytesMax: number): HashedBody {
	const hash = createBodyHash(request.headers.get("content-type"));
	if (request.body === null) return { request, digest: async () => hash.digest() };
	const { method, headers, signal } = request;
	const source = request.body.getReader();
	let byteLength = 0;
	let isAtEnd = false;
	const readNext = async (): Promise<Uint8Array | null> => {
		const { value } = await source.read();
		if (value === undefined) {
			isAtEnd = true;
			return null;
		}
		byteLength += value.byteLength;
		hash.update(value);
		return value;
	};
	const body = new ReadableStream<Uint8Array>(
		{
			pull: async (controller) => {
				const piece = await readNext();
				if (piece === null) controller.close();
				else controller.enqueue(piece);
			},
		},
		{ highWaterMark: 0 },
	);
	return {
		request: new Request(request.url, { method, headers, signal, body }),
		digest: async () => {
			while (!isAtEnd && byteLength <= bytesMax) await readNext();
			if (isAtEnd) return hash.digest();
			await source.cancel();
			return tooLong;
		},
	};
}
