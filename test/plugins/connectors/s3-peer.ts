/** A small S3: signatures and bodies checked, ListObjectsV2 with pages and escapes, objects with ranges, uploads in parts, errors as XML. */

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { etagOf, refuse, type S3Peer } from "./s3-peer-state.ts";
import { answerUpload } from "./s3-peer-uploads.ts";
import { signatureFault } from "./s3-signature.ts";

export { etagOf, type S3Peer, textsOf } from "./s3-peer-state.ts";

export async function startS3Peer(objects: Readonly<Record<string, string>> = {}): Promise<S3Peer> {
	const keys = { accessKeyId: "AKIAPEERPEERPEER", secretAccessKey: "wJalr/secret+of/the+peer", region: "eu-test-1", bucket: "documents" };
	const server = createServer(async (request, response) => {
		const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
		peer.requests.push(`${request.method} ${request.url}`);
		const fault = peer.faults.shift() ?? null;
		if (fault === "drop") request.socket.destroy();
		else if (typeof fault === "number") refuse(response, fault, "SlowDown", peer);
		else answer(request, body, fault === "lose" ? lost(request, response) : response, peer);
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
		objects: new Map(Object.entries(objects)),
		etags: new Map(),
		encryption: new Map(),
		uploads: new Map(),
		requests: [],
		faults: [],
		asked: { lists: 0, gets: [] },
		troubled: new Map(),
		storageClasses: new Map(),
		pageMax: 1_000,
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

function answer(request: IncomingMessage, body: Buffer, response: ServerResponse, peer: S3Peer): ServerResponse {
	if (peer.isStalled) return response;
	const url = new URL(request.url ?? "", peer.endpoint);
	const [, bucket = "", ...rest] = (request.url ?? "").split("?")[0]?.split("/") ?? [];
	const fault = signatureFault(request, peer.keys);
	if (fault !== null) return refuse(response, fault === "AuthorizationHeaderMalformed" ? 400 : 403, fault, peer);
	if (createHash("sha256").update(body).digest("hex") !== request.headers["x-amz-content-sha256"])
		return refuse(response, 400, "XAmzContentSHA256Mismatch", peer);
	if (bucket !== peer.keys.bucket) return refuse(response, 404, "NoSuchBucket", peer);
	const key = rest.map(decodeURIComponent).join("/");
	const isUpload = request.method !== "GET" || url.searchParams.has("uploads");
	if (isUpload) return answerUpload({ method: request.method ?? "", key, query: url.searchParams, headers: request.headers, body }, response, peer);
	return key === "" ? list(url.searchParams, response, peer) : getObject(key, request.headers, response, peer);
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
	const keys = [...peer.objects.keys()].filter((key) => key.startsWith(prefix)).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
	const left = keys.filter((key) => Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0);
	const pageMax = Math.min(Number(query.get("max-keys") ?? 1_000), peer.pageMax);
	const page = left.slice(0, pageMax);
	const isTruncated = left.length > page.length;
	const write = query.get("encoding-type") === "url" ? (key: string) => encodeURIComponent(key).replaceAll("%20", "+").replaceAll("%2F", "/") : escapeXml;
	const contents = page.map((key) => {
		const content = peer.objects.get(key) ?? "";
		return `<Contents><Key>${write(key)}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><ETag>&quot;${peer.etags.get(key) ?? etagOf(content)}&quot;</ETag><Size>${Buffer.byteLength(content)}</Size><Owner><ID>x</ID></Owner><StorageClass>${peer.storageClasses.get(key) ?? "STANDARD"}</StorageClass></Contents>`;
	});
	const next = isTruncated ? `<NextContinuationToken>${Buffer.from(page.at(-1) ?? "").toString("base64")}</NextContinuationToken>` : "";
	const encoding = query.get("encoding-type") === "url" ? "<EncodingType>url</EncodingType>" : "";
	const body = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${peer.keys.bucket}</Name><Prefix>${escapeXml(prefix)}</Prefix>${encoding}<KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`;
	return response.writeHead(200, { "content-type": "application/xml" }).end(body);
}

function escapeXml(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
