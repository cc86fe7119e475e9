/** A small S3: signatures and bodies checked, ListObjectsV2 with pages and escapes, objects with ranges, uploads in parts, errors as XML. */

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { escapeXml, etagOf, refuse, type S3Peer, writerOf } from "./s3-peer-state.ts";
import { answerUpload } from "./s3-peer-uploads.ts";
import { signatureFault } from "./s3-signature.ts";

export { bytesIn, etagOf, type S3Peer, textsOf } from "./s3-peer-state.ts";

export async function startS3Peer(objects: Readonly<Record<string, string>> = {}, bucket = "documents"): Promise<S3Peer> {
	const keys = { accessKeyId: "AKIAPEERPEERPEER", secretAccessKey: "wJalr/secret+of/the+peer", region: "eu-test-1", bucket };
	const server = createServer(async (request, response) => {
		const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>).catch(() => []));
		peer.requests.push(`${request.method} ${request.url}`);
		const { key, query } = partsOf(request);
		peer.called.push(`${request.method} ${key}`);
		const trouble = peer.trouble(request.method ?? "", key, query);
		if (trouble === "stall") return;
		if (typeof trouble === "number") return void refuse(response, trouble, "Troubled", peer);
		const fault = peer.faults.shift() ?? null;
		if (fault === "drop") request.socket.destroy();
		else if (typeof fault === "number") refuse(response, fault, "SlowDown", peer);
		else answer(request, body, fault === "lose" ? lost(request, response) : trouble === "cut" ? cut(response) : response, peer);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	const peer: S3Peer = {
		host,
		endpoint: `http://${host}`,
		keys,
		address: (path) => `s3://${bucket}/${path}?endpoint=http://${host}&region=${keys.region}`,
		env: { AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_SECRET_ACCESS_KEY: keys.secretAccessKey },
		objects: new Map(Object.entries(objects)),
		etags: new Map(),
		encryption: new Map(),
		uploads: new Map(),
		requests: [],
		called: [],
		trouble: () => null,
		knowsConditions: true,
		faults: [],
		asked: { lists: 0, gets: [] },
		troubled: new Map(),
		storageClasses: new Map(),
		pageMax: 1_000,
		hidesTokens: null,
		isStalled: false,
		close,
	};
	return peer;
}

/** A response that never arrives: the connection is closed when it would be sent. */
function lost(request: IncomingMessage, response: ServerResponse): ServerResponse {
	response.end = () => {
		request.socket.destroy();
		return response;
	};
	return response;
}

/** A response of which half arrives. */
function cut(response: ServerResponse): ServerResponse {
	response.end = (body?: unknown) => {
		const bytes = Buffer.from((body ?? "") as string | Uint8Array);
		if (bytes.byteLength > 1) response.write(bytes.subarray(0, bytes.byteLength / 2));
		setTimeout(() => response.destroy(), 20);
		return response;
	};
	return response;
}

function partsOf({ url = "" }: IncomingMessage): { readonly bucket: string; readonly key: string; readonly query: URLSearchParams } {
	const [, bucket = "", ...rest] = url.split("?")[0]?.split("/") ?? [];
	return { bucket, key: rest.map(decodeURIComponent).join("/"), query: new URL(url, "http://localhost").searchParams };
}

function answer(request: IncomingMessage, body: Buffer, response: ServerResponse, peer: S3Peer): ServerResponse {
	if (peer.isStalled) return response;
	const { bucket, key, query } = partsOf(request);
	const fault = signatureFault(request, peer.keys);
	if (fault !== null) return refuse(response, fault === "AuthorizationHeaderMalformed" ? 400 : 403, fault, peer);
	if (createHash("sha256").update(body).digest("hex") !== request.headers["x-amz-content-sha256"])
		return refuse(response, 400, "XAmzContentSHA256Mismatch", peer);
	if (bucket !== peer.keys.bucket) return refuse(response, 404, "NoSuchBucket", peer);
	const isUpload = request.method !== "GET" || query.has("uploads");
	if (isUpload) return answerUpload({ method: request.method ?? "", key, query, headers: request.headers, body }, response, peer);
	return key === "" ? list(query, response, peer) : getObject(key, request.headers, response, peer);
}

function getObject(key: string, { range, "if-match": match }: IncomingMessage["headers"], response: ServerResponse, peer: S3Peer): ServerResponse {
	peer.asked.gets.push(key);
	const trouble = peer.troubled.get(key);
	if (trouble !== undefined) return refuse(response, trouble, trouble === 403 ? "AccessDenied" : "SlowDown", peer);
	const content = peer.objects.get(key);
	if (content === undefined) return refuse(response, 404, "NoSuchKey", peer);
	const etag = `"${peer.etags.get(key) ?? etagOf(content)}"`;
	if (match !== undefined && match !== etag) return refuse(response, 412, "PreconditionFailed", peer);
	const bytes = typeof content === "string" ? Buffer.from(content) : content;
	const headers = { etag, "content-type": key.endsWith(".md") ? "text/markdown" : "text/plain; charset=utf-8" };
	const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
	if (from === undefined) return response.writeHead(200, headers).end(bytes);
	if (Number(from) >= bytes.byteLength) return refuse(response, 416, "InvalidRange", peer);
	const part = bytes.subarray(Number(from), Number(to) + 1);
	return response.writeHead(206, { ...headers, "content-range": `bytes ${from}-${Number(from) + part.byteLength - 1}/${bytes.byteLength}` }).end(part);
}

function list(query: URLSearchParams, response: ServerResponse, peer: S3Peer): ServerResponse {
	peer.asked.lists += 1;
	if (query.get("list-type") !== "2") return refuse(response, 400, "InvalidArgument", peer);
	const prefix = query.get("prefix") ?? "";
	const token = query.get("continuation-token");
	const after = token === null ? "" : Buffer.from(token, "base64").toString();
	const delimiter = query.get("delimiter");
	const isListed = (key: string) => key.startsWith(prefix) && (delimiter === null || !key.slice(prefix.length).includes(delimiter));
	const keys = [...peer.objects.keys()].filter(isListed).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
	const left = keys.filter((key) => Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0);
	const pageMax = Math.min(Number(query.get("max-keys") ?? 1_000), peer.pageMax);
	const page = left.slice(0, pageMax);
	const isTruncated = left.length > page.length;
	const write = writerOf(query);
	const contents = page.map((key) => {
		const content = peer.objects.get(key) ?? "";
		return `<Contents><Key>${write(key)}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><ETag>&quot;${peer.etags.get(key) ?? etagOf(content)}&quot;</ETag><Size>${Buffer.byteLength(content)}</Size><Owner><ID>x</ID></Owner><StorageClass>${peer.storageClasses.get(key) ?? "STANDARD"}</StorageClass></Contents>`;
	});
	const nextToken = peer.hidesTokens === "empty" ? "" : Buffer.from(page.at(-1) ?? "").toString("base64");
	const next = isTruncated && peer.hidesTokens !== "absent" ? `<NextContinuationToken>${nextToken}</NextContinuationToken>` : "";
	const encoding = query.get("encoding-type") === "url" ? "<EncodingType>url</EncodingType>" : "";
	const body = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${peer.keys.bucket}</Name><Prefix>${escapeXml(prefix)}</Prefix>${encoding}<KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`;
	return response.writeHead(200, { "content-type": "application/xml" }).end(body);
}
