/** A client of one bucket for the blob store and for backups. Objects are stored whole or not at all, and memory is bounded. */

import { createOnce } from "./create-once.ts";
import { parseListPage } from "./list-page.ts";
import type { S3Location } from "./location.ts";
import { type ConnectionParts, connect } from "./send.ts";
import { partBytes, type Uploaded, upload } from "./upload.ts";
import { parseUploads } from "./uploads-page.ts";

export interface StoredObject {
	/** Without the prefix of the location. */
	readonly key: string;
	readonly byteLength: number;
	/** By the clock of the service, to the second. */
	readonly modifiedAt: Date;
}

/** Keys are below the prefix of the location. Every method throws `BUCKET_UNAVAILABLE`. */
export interface S3Client {
	/** At most two parts are in memory; they are larger if there may be more bytes than 9,000 usual parts have. If the source breaks off or is too large, the object stays as it was. */
	readonly put: (key: string, bytes: AsyncIterable<Uint8Array>, bytesMax: number) => Promise<Uploaded>;
	/** The object in pieces of 8 MiB, each fetched when it is wanted; null if there is none. */
	readonly read: (key: string) => Promise<AsyncIterable<Uint8Array> | null>;
	/** Stores a small object of which no other has the same bytes, unless there is one by this key. @returns whether it was stored */
	readonly create: (key: string, bytes: Uint8Array) => Promise<boolean>;
	/** Does nothing if there is none. */
	readonly remove: (key: string) => Promise<void>;
	/** @param options.isDeep whether keys with a slash after the prefix are listed too, which they are by default */
	readonly list: (prefix?: string, options?: { readonly isDeep: boolean }) => AsyncGenerator<StoredObject>;
	/** Aborts uploads in parts that began before this time and were interrupted, because their parts are paid for. */
	readonly abortUploads: (begunBefore: Date, signal: AbortSignal) => Promise<void>;
}

export function openS3(location: S3Location, parts: ConnectionParts): S3Client {
	const connection = connect(location, parts);
	const { send, unavailable } = connection;
	const { prefix } = location;

	/** With the ETag of the first piece, so that all pieces are of one object. */
	async function readPiece(key: string, from: number, etag: string | null) {
		const headers = { range: `bytes=${from}-${from + partBytes - 1}`, ...(etag !== null && { "if-match": etag }) };
		return send({ method: "GET", key, headers, expected: [404, 412, 416] });
	}

	async function* piecesAfter(first: Uint8Array, key: string, byteLength: number, etag: string | null): AsyncGenerator<Uint8Array> {
		yield first;
		for (let offset = first.byteLength; offset < byteLength; ) {
			const { status, bytes } = await readPiece(key, offset, etag);
			if (status !== 206 || bytes.byteLength === 0) throw unavailable("an object was changed while it was read");
			yield bytes;
			offset += bytes.byteLength;
		}
	}

	async function* list(below = "", { isDeep } = { isDeep: true }): AsyncGenerator<StoredObject> {
		const wanted = { "encoding-type": "url", "list-type": "2", prefix: `${prefix}${below}`, ...(!isDeep && { delimiter: "/" }) };
		for (let token: string | null = ""; token !== null; ) {
			const query = { ...wanted, ...(token !== "" && { "continuation-token": token }) };
			const page = parseListPage(new TextDecoder().decode((await send({ method: "GET", key: "", query })).bytes));
			if (page === null) throw unavailable("the server there is no S3 service, or lists objects without saying how the list goes on");
			for (const { key, size, modified } of page.objects) yield { key: key.slice(prefix.length), byteLength: size, modifiedAt: new Date(modified ?? "") };
			token = page.next;
		}
	}

	return {
		put: (key, bytes, bytesMax) => upload(connection, { key, headers: location.encryption }, bytes, bytesMax),
		read: async (key) => {
			const { status, headers, bytes } = await readPiece(key, 0, null);
			if (status === 404) return null;
			// An empty object has no first byte, and a service without ranges sends everything.
			const first = status === 416 ? new Uint8Array() : bytes;
			const byteLength = Number(headers.get("content-range")?.split("/")[1] ?? first.byteLength);
			return piecesAfter(first, key, status === 206 ? byteLength : first.byteLength, headers.get("etag") ?? null);
		},
		create: (key, body) => createOnce({ send, list, headers: location.encryption, world: parts.world }, key, body),
		remove: async (key) => {
			await send({ method: "DELETE", key, expected: [404] });
		},
		list,
		abortUploads: async (begunBefore, signal) => {
			const { bytes } = await send({ method: "GET", key: "", query: { uploads: "", "encoding-type": "url", prefix }, expected: [404, 501] });
			for (const { key, uploadId, begunAt } of parseUploads(bytes)) {
				if (signal.aborted) return;
				if (key.startsWith(prefix) && begunAt < begunBefore)
					await send({ method: "DELETE", key: key.slice(prefix.length), query: { uploadId }, expected: [404] });
			}
		},
	};
}
