/** A small S3: signatures checked, ListObjectsV2 with pages and escapes, GetObject, errors as XML. */

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Keys, signatureFault } from "./s3-signature.ts";

export interface S3Peer {
	readonly host: string;
	readonly endpoint: string;
	readonly keys: Keys & { readonly bucket: string };
	readonly objects: Map<string, string>;
	/** Requests by kind, since the last `forget`. */
	readonly asked: { lists: number; gets: string[] };
	/** Objects that answer this status. */
	readonly troubled: Map<string, number>;
	readonly storageClasses: Map<string, string>;
	/** How many objects a page has, however many are asked for. */
	pageMax: number;
	isStalled: boolean;
	readonly close: () => void;
}

export const etagOf = (text: string): string => createHash("md5").update(text).digest("hex");

export async function startS3Peer(objects: Readonly<Record<string, string>> = {}): Promise<S3Peer> {
	const keys = { accessKeyId: "AKIAPEERPEERPEER", secretAccessKey: "wJalr/secret+of/the+peer", region: "eu-test-1", bucket: "documents" };
	const server = createServer((request, response) => answer(request, response, peer));
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
		asked: { lists: 0, gets: [] },
		troubled: new Map(),
		storageClasses: new Map(),
		pageMax: 1_000,
		isStalled: false,
		close,
	};
	return peer;
}

function answer(request: IncomingMessage, response: ServerResponse, peer: S3Peer): ServerResponse {
	if (peer.isStalled) return response;
	const url = new URL(request.url ?? "", peer.endpoint);
	const [, bucket = "", ...rest] = (request.url ?? "").split("?")[0]?.split("/") ?? [];
	const fault = signatureFault(request, peer.keys);
	if (fault !== null) return refuse(response, fault === "AuthorizationHeaderMalformed" ? 400 : 403, fault, peer);
	if (bucket !== peer.keys.bucket) return refuse(response, 404, "NoSuchBucket", peer);
	const key = rest.map(decodeURIComponent).join("/");
	if (key === "") return list(url.searchParams, response, peer);
	peer.asked.gets.push(key);
	const trouble = peer.troubled.get(key);
	if (trouble !== undefined) return refuse(response, trouble, trouble === 403 ? "AccessDenied" : "SlowDown", peer);
	const text = peer.objects.get(key);
	if (text === undefined) return refuse(response, 404, "NoSuchKey", peer);
	return response.writeHead(200, { etag: `"${etagOf(text)}"`, "content-type": key.endsWith(".md") ? "text/markdown" : "text/plain; charset=utf-8" }).end(text);
}

/** As S3 does, with what must never be shown in it. */
function refuse(response: ServerResponse, status: number, code: string, { keys }: S3Peer): ServerResponse {
	const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>no</Message><AWSAccessKeyId>${keys.accessKeyId}</AWSAccessKeyId><StringToSign>${keys.secretAccessKey}</StringToSign></Error>`;
	return response.writeHead(status, { "content-type": "application/xml" }).end(body);
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
		const text = peer.objects.get(key) ?? "";
		return `<Contents><Key>${write(key)}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><ETag>&quot;${etagOf(text)}&quot;</ETag><Size>${Buffer.byteLength(text)}</Size><Owner><ID>x</ID></Owner><StorageClass>${peer.storageClasses.get(key) ?? "STANDARD"}</StorageClass></Contents>`;
	});
	const next = isTruncated ? `<NextContinuationToken>${Buffer.from(page.at(-1) ?? "").toString("base64")}</NextContinuationToken>` : "";
	const encoding = query.get("encoding-type") === "url" ? "<EncodingType>url</EncodingType>" : "";
	const body = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${peer.keys.bucket}</Name><Prefix>${escapeXml(prefix)}</Prefix>${encoding}<KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`;
	return response.writeHead(200, { "content-type": "application/xml" }).end(body);
}

function escapeXml(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
