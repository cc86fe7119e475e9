/** Reads and decompresses the body of a response, up to the limit. */

import type { IncomingMessage } from "node:http";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { fail } from "../../../core/errors/fail.ts";

export const acceptedEncodings = "gzip, deflate, br";

const decoders: Readonly<Record<string, () => Transform>> = {
	gzip: createGunzip,
	"x-gzip": createGunzip,
	deflate: createInflate,
	br: createBrotliDecompress,
};

/** @throws `FILE_TOO_LARGE`, an `Error` for an encoding that was not requested, or the error of the stream. */
export async function readBody(response: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
	if (Number(response.headers["content-length"] ?? 0) > bytesMax) throw fail("FILE_TOO_LARGE", bytesMax);
	const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
	const bytes = await (encoding === "identity" || encoding === "" ? collect(response, bytesMax) : unpack(response, encoding, bytesMax));
	if (!response.complete) throw new Error("the body was cut off");
	return bytes;
}

async function unpack(response: IncomingMessage, encoding: string, bytesMax: number): Promise<Uint8Array> {
	const decoder = decoders[encoding]?.();
	if (decoder === undefined) throw new Error("the response has an encoding that was not requested");
	// Received bytes are limited too: an endless compressed stream with empty content would otherwise be read until the timeout.
	let receivedBytes = 0;
	response.on("data", (bytes: Uint8Array) => {
		receivedBytes += bytes.byteLength;
		if (receivedBytes > bytesMax) decoder.destroy(fail("FILE_TOO_LARGE", bytesMax));
	});
	// An error ends the decoder, which ends the loop in `collect`.
	return collect(
		pipeline(response, decoder, () => {}),
		bytesMax,
	);
}

async function collect(stream: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
	const parts: Uint8Array[] = [];
	let byteLength = 0;
	for await (const part of stream) {
		byteLength += part.byteLength;
		if (byteLength > bytesMax) throw fail("FILE_TOO_LARGE", bytesMax);
		parts.push(part);
	}
	return Buffer.concat(parts, byteLength);
}
