/** Keeps backups below a prefix of a bucket. A file is read and written in pieces of a few megabytes, so its size does not matter. */

import { fail } from "../../../core/errors/fail.ts";
import type { BackupPlace, PlacedFile } from "./place.ts";
import type { S3Client } from "./s3-client.ts";
import { completionOf, errorCodeOf, parseList, parseUploads, uploadIdOf } from "./s3-xml.ts";

const pieceBytes = 8 * 1024 * 1024;
/** S3 takes 10,000 parts of an upload, all of one size but the last. */
const partsMax = 9_000;

/** @param prefix without a slash at its end; empty for the whole bucket */
export function s3Place(bucket: string, prefix: string, request: S3Client): BackupPlace {
	const address = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
	const keyOf = (name: string) => (prefix === "" ? name : `${prefix}/${name}`);
	return {
		address,
		folder: null,
		list: (folder) => listFiles(request, keyOf(""), folder, address),
		read: (name) => readInPieces(request, keyOf(name), address),
		write: (name, pieces, bytesMax) => writeInParts(request, keyOf(name), pieces, Math.max(pieceBytes, Math.ceil(bytesMax / partsMax)), address),
		create: async (name, text) => {
			const body = new TextEncoder().encode(text);
			const call = { method: "PUT", key: keyOf(name), body } as const;
			const { status } = await request({ ...call, headers: { "if-none-match": "*" }, answers: [409, 412, 501] });
			// A service that does not know the condition.
			if (status === 501) await request(call);
			else if (status >= 400) return false;
			// One that ignores it: the last writer has it.
			const stored = await request({ method: "GET", key: keyOf(name), answers: [404] });
			return Buffer.from(stored.bytes).equals(body);
		},
		remove: async (name) => void (await request({ method: "DELETE", key: keyOf(name), answers: [404] })),
		removeUnfinished: async (before) => {
			const { bytes } = await request({ method: "GET", key: "", query: { "encoding-type": "url", prefix: keyOf(""), uploads: "" }, answers: [404, 501] });
			const old = parseUploads(bytes).filter(({ begunAt }) => begunAt < before);
			for (const { key, uploadId } of old) await request({ method: "DELETE", key, query: { uploadId }, answers: [404] });
		},
	};
}

async function listFiles(request: S3Client, root: string, folder: string, address: string): Promise<readonly PlacedFile[]> {
	const files: PlacedFile[] = [];
	let token: string | null = null;
	do {
		const query = {
			"encoding-type": "url",
			"list-type": "2",
			prefix: `${root}${folder}`,
			...(folder === "" && { delimiter: "/" }),
			...(token !== null && { "continuation-token": token }),
		};
		const page = parseList((await request({ method: "GET", key: "", query })).bytes);
		if (page === null) throw fail("BACKUP_TARGET_FAILED", address, "it is no S3 service: its response is not a list of objects");
		files.push(...page.files.map(({ key, bytes }) => ({ name: key.slice(root.length), bytes })));
		token = page.next;
	} while (token !== null);
	return files;
}

async function readInPieces(request: S3Client, key: string, address: string): Promise<AsyncIterable<Uint8Array> | null> {
	const range = (from: number) => ({ range: `bytes=${from}-${from + pieceBytes - 1}` });
	const first = await request({ method: "GET", key, headers: range(0), answers: [404, 416] });
	if (first.status === 404) return errorCodeOf(first.bytes) === "NoSuchBucket" ? missingBucket(address) : null;
	if (first.status === 416) return none();
	const total = first.status === 200 ? first.bytes.byteLength : Number(/\/(\d+)$/.exec(String(first.headers["content-range"]))?.[1]);
	const etag = first.headers.etag;
	return (async function* () {
		yield first.bytes;
		for (let from = first.bytes.byteLength; from < total; ) {
			const { status, bytes } = await request({
				method: "GET",
				key,
				headers: { ...range(from), ...(etag !== undefined && { "if-match": etag }) },
				answers: [412],
			});
			if (status !== 206 || bytes.byteLength === 0) throw fail("BACKUP_TARGET_FAILED", address, "a file was replaced while it was read");
			yield bytes;
			from += bytes.byteLength;
		}
	})();
}

async function* none(): AsyncGenerator<Uint8Array> {}

function missingBucket(address: string): never {
	throw fail("BACKUP_TARGET_FAILED", address, "there is no such bucket");
}

async function writeInParts(request: S3Client, key: string, pieces: AsyncIterable<Uint8Array>, partBytes: number, address: string): Promise<void> {
	const parts = inPartsOf(partBytes, pieces);
	const first = (await parts.next()).value ?? new Uint8Array();
	if (first.byteLength < partBytes) return void (await request({ method: "PUT", key, body: first }));
	const uploadId = uploadIdOf((await request({ method: "POST", key, query: { uploads: "" } })).bytes);
	if (uploadId === null) throw fail("BACKUP_TARGET_FAILED", address, "it did not begin the upload of a large file");
	try {
		const etags: string[] = [];
		for (let part: Uint8Array | undefined = first; part !== undefined; part = (await parts.next()).value ?? undefined) {
			const { headers } = await request({ method: "PUT", key, query: { partNumber: String(etags.length + 1), uploadId }, body: part });
			etags.push(headers.etag ?? "");
		}
		await complete(request, key, uploadId, etags, address);
	} catch (thrown) {
		// What the bucket holds of it would be paid for. A kill leaves it to `removeUnfinished`.
		await request({ method: "DELETE", key, query: { uploadId }, answers: [404] }).catch(() => undefined);
		throw thrown;
	}
}

async function complete(request: S3Client, key: string, uploadId: string, etags: readonly string[], address: string): Promise<void> {
	const { status, bytes, isRepeated } = await request({ method: "POST", key, query: { uploadId }, body: completionOf(etags), answers: [404] });
	const code = errorCodeOf(bytes);
	if (status < 300 && code === null) return;
	// The first attempt was completed, and its response got lost.
	if (isRepeated && code === "NoSuchUpload") return;
	throw fail("BACKUP_TARGET_FAILED", address, `it did not complete the upload of a large file${code === null ? "" : ` (${code})`}`);
}

/** The same bytes in parts of this size, but for the last. */
async function* inPartsOf(size: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
	let part = new Uint8Array(size);
	let filled = 0;
	for await (const piece of pieces) {
		for (let from = 0; from < piece.byteLength; ) {
			const taken = piece.subarray(from, from + size - filled);
			part.set(taken, filled);
			filled += taken.byteLength;
			from += taken.byteLength;
			if (filled < size) continue;
			yield part;
			[part, filled] = [new Uint8Array(size), 0];
		}
	}
	if (filled > 0) yield part.subarray(0, filled);
	return undefined;
}
