/** Stores an object of any length in bounded memory: a small one with one request, others in parts. It is not visible before it is complete. */

import { createHash } from "node:crypto";
import { fail } from "cairn-memory";
import { errorCodeOf } from "./list-page.ts";
import type { Connection } from "./send.ts";
import { uploadIdOf } from "./uploads-page.ts";

/** The size of each part but the last. Parts are larger if there would be too many of them. */
export const partBytes = 8 * 1024 * 1024;
/** S3 accepts 10,000 parts. */
const partsMax = 9_000;

export interface Uploaded {
	readonly byteLength: number;
	/** In hexadecimal. */
	readonly sha256: string;
}

interface Target {
	readonly key: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** @throws ServiceError `FILE_TOO_LARGE`, `BUCKET_UNAVAILABLE`, and whatever the source throws */
export async function upload(connection: Connection, target: Target, bytes: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uploaded> {
	const hash = createHash("sha256");
	let byteLength = 0;
	async function* counted(): AsyncGenerator<Uint8Array> {
		for await (const piece of bytes) {
			byteLength += piece.byteLength;
			if (byteLength > bytesMax) throw fail("FILE_TOO_LARGE", bytesMax);
			hash.update(piece);
			yield piece;
		}
	}
	const parts = inParts(counted(), Math.max(partBytes, Math.ceil(bytesMax / partsMax)));
	try {
		const first = await parts.next();
		const second = first.done ? first : await parts.next();
		if (second.done) await connection.send({ method: "PUT", ...target, body: first.done ? new Uint8Array() : first.value });
		else await uploadParts(connection, target, followedBy([first.value as Uint8Array, second.value], parts));
	} finally {
		// Closes the source if the upload has failed.
		await parts.return(undefined);
	}
	return { byteLength, sha256: hash.digest("hex") };
}

async function uploadParts(connection: Connection, { key, headers }: Target, parts: AsyncIterable<Uint8Array>): Promise<void> {
	const { send, unavailable } = connection;
	const begun = await send({ method: "POST", key, headers, query: { uploads: "" } });
	const uploadId = uploadIdOf(begun.bytes);
	if (uploadId === null) throw unavailable("it began no upload in parts");
	try {
		const etags: string[] = [];
		for await (const body of parts) {
			const stored = await send({ method: "PUT", key, query: { partNumber: String(etags.length + 1), uploadId }, body });
			etags.push(stored.headers.get("etag") ?? "");
		}
		await complete(connection, key, uploadId, etags);
	} catch (thrown) {
		// If this fails, the maintenance aborts the upload later, see `abortUploads`.
		await send({ method: "DELETE", key, query: { uploadId }, expected: [404] }).catch(() => undefined);
		throw thrown;
	}
}

/** If the response to the first request was lost, the upload is complete, and a repeated request finds none. */
async function complete({ send, unavailable }: Connection, key: string, uploadId: string, etags: readonly string[]): Promise<void> {
	const parts = etags.map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag.replaceAll('"', "&quot;")}</ETag></Part>`);
	const body = new TextEncoder().encode(`<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join("")}</CompleteMultipartUpload>`);
	const { status, bytes } = await send({ method: "POST", key, query: { uploadId }, body, expected: [404] });
	if (status !== 404) return;
	const stored = await send({ method: "GET", key, headers: { range: "bytes=0-0" }, expected: [404] });
	// S3 ends the ETag of an object in parts with their number.
	if (stored.status === 404 || !(stored.headers.get("etag") ?? "").replaceAll('"', "").endsWith(`-${etags.length}`))
		throw unavailable(`it did not complete an upload (${errorCodeOf(bytes) ?? status})`);
}

async function* followedBy(first: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	yield* first;
	yield* rest;
}

/** The same bytes in pieces of this size; only the last is smaller. */
async function* inParts(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array, undefined> {
	let pieces: Uint8Array[] = [];
	let length = 0;
	for await (const piece of bytes) {
		for (let start = 0; start < piece.byteLength; ) {
			const taken = piece.subarray(start, start + size - length);
			pieces.push(taken);
			length += taken.byteLength;
			start += taken.byteLength;
			if (length < size) continue;
			yield Buffer.concat(pieces, length);
			pieces = [];
			length = 0;
		}
	}
	if (length > 0) yield Buffer.concat(pieces, length);
}
