/** What the small S3 does with requests that change something: objects whole and in parts, as the specification has it. */

import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { etagOf, refuse, type S3Peer, type Upload, writerOf } from "./s3-peer-state.ts";

interface Change {
	readonly method: string;
	readonly key: string;
	readonly query: URLSearchParams;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
}

const partBytesMin = 5 * 1024 * 1024;

export function answerUpload(change: Change, response: ServerResponse, peer: S3Peer): ServerResponse {
	const { method, key, query, body } = change;
	const uploadId = query.get("uploadId");
	if (method === "GET") return listUploads(query, response, peer);
	if (method === "POST" && query.has("uploads")) return begin(change, response, peer);
	if (uploadId !== null) return answerPart(change, uploadId, response, peer);
	if (method === "PUT") {
		if (peer.knowsConditions && change.headers["if-none-match"] === "*" && peer.objects.has(key)) return refuse(response, 412, "PreconditionFailed", peer);
		store(peer, key, body, encryptionOf(change.headers), null);
		return response.writeHead(200, { etag: `"${etagOf(body)}"` }).end();
	}
	if (method !== "DELETE") return refuse(response, 405, "MethodNotAllowed", peer);
	peer.objects.delete(key);
	peer.etags.delete(key);
	return response.writeHead(204).end();
}

function store(peer: S3Peer, key: string, bytes: Uint8Array, encryption: string | null, etag: string | null): void {
	peer.objects.set(key, bytes);
	peer.etags.delete(key);
	if (etag !== null) peer.etags.set(key, etag);
	if (encryption !== null) peer.encryption.set(key, encryption);
}

function begin({ key, headers }: Change, response: ServerResponse, peer: S3Peer): ServerResponse {
	const uploadId = crypto.randomUUID();
	peer.uploads.set(uploadId, { key, parts: new Map(), encryption: encryptionOf(headers), begunAt: new Date().toISOString() });
	return sendXml(response, `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`);
}

function answerPart({ method, key, query, body }: Change, uploadId: string, response: ServerResponse, peer: S3Peer): ServerResponse {
	const upload = peer.uploads.get(uploadId);
	if (upload?.key !== key) return refuse(response, 404, "NoSuchUpload", peer);
	if (method === "PUT") {
		upload.parts.set(Number(query.get("partNumber")), body);
		return response.writeHead(200, { etag: `"${etagOf(body)}"` }).end();
	}
	if (method === "POST") return complete(upload, uploadId, body.toString(), response, peer);
	peer.uploads.delete(uploadId);
	return response.writeHead(204).end();
}

/** S3 answers 200 before it knows whether it can. */
function complete(upload: Upload, uploadId: string, body: string, response: ServerResponse, peer: S3Peer): ServerResponse {
	const listed = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;([0-9a-f]+)&quot;<\/ETag>/g)].map(([, number, etag]) => ({
		number: Number(number),
		etag,
	}));
	const parts = listed.map(({ number }) => upload.parts.get(number));
	const isWhole = listed.every(({ etag }, i) => parts[i] !== undefined && etagOf(parts[i]) === etag);
	if (!isWhole || listed.length === 0) return refuse(response, 200, "InvalidPart", peer);
	if (listed.some(({ number }, i) => number !== i + 1)) return refuse(response, 200, "InvalidPartOrder", peer);
	if (parts.slice(0, -1).some((part) => (part?.byteLength ?? 0) < partBytesMin)) return refuse(response, 200, "EntityTooSmall", peer);
	const hashes = parts.map((part) =>
		createHash("md5")
			.update(part ?? "")
			.digest(),
	);
	store(peer, upload.key, Buffer.concat(parts as Buffer[]), upload.encryption, `${etagOf(Buffer.concat(hashes))}-${parts.length}`);
	peer.uploads.delete(uploadId);
	return sendXml(response, `<CompleteMultipartUploadResult><Key>${upload.key}</Key></CompleteMultipartUploadResult>`);
}

function listUploads(query: URLSearchParams, response: ServerResponse, peer: S3Peer): ServerResponse {
	const found = [...peer.uploads].filter(([, { key }]) => key.startsWith(query.get("prefix") ?? ""));
	const write = writerOf(query);
	const encoding = query.get("encoding-type") === "url" ? "<EncodingType>url</EncodingType>" : "";
	const uploads = found.map(
		([uploadId, { key, begunAt }]) =>
			`<Upload><Key>${write(key)}</Key><UploadId>${uploadId}</UploadId><Initiator><ID>x</ID></Initiator><Initiated>${begunAt}</Initiated></Upload>`,
	);
	return sendXml(response, `<ListMultipartUploadsResult>${encoding}${uploads.join("")}</ListMultipartUploadsResult>`);
}

function sendXml(response: ServerResponse, xml: string): ServerResponse {
	return response.writeHead(200, { "content-type": "application/xml" }).end(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
}

function encryptionOf(headers: IncomingHttpHeaders): string | null {
	const kind = headers["x-amz-server-side-encryption"];
	const key = headers["x-amz-server-side-encryption-aws-kms-key-id"];
	return typeof kind !== "string" ? null : typeof key === "string" ? `${kind} ${key}` : kind;
}
