/** A bucket that is written to: signatures and checksums are demanded, uploads in parts, ranges, conditions and lists are as S3 has them. */

import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Keys, signatureFault } from "../plugins/connectors/s3-signature.ts";

export interface S3Store {
	/** For `cairn`: `s3://bucket/path?endpoint=…`. */
	readonly address: (path: string) => string;
	readonly env: Readonly<Record<string, string>>;
	readonly objects: Map<string, Buffer>;
	readonly uploads: Map<string, Upload>;
	/** Requests as `PUT key` without queries. */
	readonly asked: string[];
	/** What a request is answered in place of the right answer: a status, no answer, or half of it. */
	trouble: (method: string, key: string, query: URLSearchParams) => number | "stall" | "cut" | null;
	pageMax: number;
	/** Whether it knows `If-None-Match`; older services ignore it. */
	knowsConditions: boolean;
	readonly close: () => void;
}

interface Upload {
	readonly key: string;
	readonly begunAt: Date;
	readonly parts: Map<number, Buffer>;
}

interface Call {
	readonly method: string;
	readonly key: string;
	readonly query: URLSearchParams;
	readonly headers: IncomingMessage["headers"];
	readonly body: Buffer;
}

interface Reply {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: Buffer | string;
}

const bucket = "vault";
const keys: Keys = { accessKeyId: "AKIASTORESTORE", secretAccessKey: "aSecret/of+the/store", region: "eu-test-1" };
/** Of every part but the last. */
const partBytesMin = 5 * 1024 * 1024;
const hash = (algorithm: "md5" | "sha256", bytes: Buffer) => createHash(algorithm).update(bytes).digest("hex");
const error = (status: number, code: string): Reply => ({
	status,
	body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message><AWSAccessKeyId>${keys.accessKeyId}</AWSAccessKeyId></Error>`,
});

export async function startS3Store(): Promise<S3Store> {
	const server = createServer((request, response) => void answer(request, response, store));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
	const store: S3Store = {
		address: (path) => `s3://${bucket}/${path}?endpoint=${endpoint}&region=${keys.region}`,
		env: { AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_SECRET_ACCESS_KEY: keys.secretAccessKey },
		objects: new Map(),
		uploads: new Map(),
		asked: [],
		trouble: () => null,
		pageMax: 1_000,
		knowsConditions: true,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
	return store;
}

async function answer(request: IncomingMessage, response: ServerResponse, store: S3Store): Promise<void> {
	const url = new URL(request.url ?? "", "http://localhost");
	const [, named = "", ...rest] = (request.url ?? "").split("?")[0]?.split("/") ?? [];
	const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>).catch(() => []));
	const call = { method: request.method ?? "", key: rest.map(decodeURIComponent).join("/"), query: url.searchParams, headers: request.headers, body };
	store.asked.push(`${call.method} ${call.key}`);
	const trouble = store.trouble(call.method, call.key, call.query);
	if (trouble === "stall") return;
	const { status, headers = {}, body: answered = "" } = typeof trouble === "number" ? error(trouble, "Troubled") : replyTo(call, request, named, store);
	response.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(answered)) });
	if (trouble !== "cut") return void response.end(answered);
	response.write(Buffer.from(answered).subarray(0, Buffer.byteLength(answered) / 2));
	setTimeout(() => response.destroy(), 20);
}

function replyTo(call: Call, request: IncomingMessage, named: string, store: S3Store): Reply {
	const fault = signatureFault(request, keys);
	if (fault !== null) return error(403, fault);
	if (call.headers["x-amz-content-sha256"] !== hash("sha256", call.body)) return error(400, "XAmzContentSHA256Mismatch");
	if (named !== bucket) return error(404, "NoSuchBucket");
	const { method, key, query } = call;
	if (key === "") return query.has("uploads") ? listUploads(query, store) : list(query, store);
	if (method === "GET") return read(call, store);
	if (method === "PUT") return query.has("partNumber") ? putPart(call, store) : put(call, store);
	if (method === "POST") return query.has("uploads") ? begin(key, store) : complete(call, store);
	if (query.has("uploadId")) store.uploads.delete(query.get("uploadId") ?? "");
	else store.objects.delete(key);
	return { status: 204 };
}

function put({ key, headers, body }: Call, { objects, knowsConditions }: S3Store): Reply {
	if (knowsConditions && headers["if-none-match"] === "*" && objects.has(key)) return error(412, "PreconditionFailed");
	objects.set(key, body);
	return { status: 200, headers: { etag: `"${hash("md5", body)}"` } };
}

function read({ key, headers }: Call, { objects }: S3Store): Reply {
	const bytes = objects.get(key);
	if (bytes === undefined) return error(404, "NoSuchKey");
	const etag = `"${hash("md5", bytes)}"`;
	if (headers["if-match"] !== undefined && headers["if-match"] !== etag) return error(412, "PreconditionFailed");
	const [, first = null, last = null] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
	if (first === null) return { status: 200, headers: { etag }, body: bytes };
	if (Number(first) >= bytes.byteLength) return error(416, "InvalidRange");
	const body = bytes.subarray(Number(first), Number(last) + 1);
	return { status: 206, headers: { etag, "content-range": `bytes ${first}-${Number(first) + body.byteLength - 1}/${bytes.byteLength}` }, body };
}

function begin(key: string, { uploads }: S3Store): Reply {
	const uploadId = randomUUID();
	uploads.set(uploadId, { key, begunAt: new Date(), parts: new Map() });
	return { status: 200, body: `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>` };
}

function putPart({ query, body }: Call, { uploads }: S3Store): Reply {
	const upload = uploads.get(query.get("uploadId") ?? "");
	if (upload === undefined) return error(404, "NoSuchUpload");
	upload.parts.set(Number(query.get("partNumber")), body);
	return { status: 200, headers: { etag: `"${hash("md5", body)}"` } };
}

/** S3 answers 200 before it knows whether it can. */
function complete({ key, query, body }: Call, { uploads, objects }: S3Store): Reply {
	const upload = uploads.get(query.get("uploadId") ?? "");
	if (upload === undefined || upload.key !== key) return error(404, "NoSuchUpload");
	const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)].map(
		([, number, etag]) => [Number(number), etag] as const,
	);
	const parts = named.map(([number]) => upload.parts.get(number) ?? Buffer.alloc(0));
	if (named.some(([number, etag], i) => number !== i + 1 || etag !== `"${hash("md5", parts[i] ?? Buffer.alloc(0))}"`))
		return { ...error(400, "InvalidPart"), status: 200 };
	if (parts.slice(0, -1).some((part) => part.byteLength < partBytesMin)) return { ...error(400, "EntityTooSmall"), status: 200 };
	objects.set(key, Buffer.concat(parts));
	uploads.delete(query.get("uploadId") ?? "");
	return { status: 200, body: `<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>` };
}

const written = (key: string) => encodeURIComponent(key).replaceAll("%20", "+").replaceAll("%2F", "/");

function list(query: URLSearchParams, { objects, pageMax }: S3Store): Reply {
	if (query.get("list-type") !== "2") return error(400, "InvalidArgument");
	const [prefix, delimiter] = [query.get("prefix") ?? "", query.get("delimiter")];
	const after = Buffer.from(query.get("continuation-token") ?? "", "base64").toString();
	const found = [...objects.keys()].filter((key) => key.startsWith(prefix) && (delimiter === null || !key.slice(prefix.length).includes(delimiter)));
	const left = found.filter((key) => key > after).toSorted();
	const page = left.slice(0, pageMax);
	const contents = page.map((key) => `<Contents><Key>${written(key)}</Key><Size>${objects.get(key)?.byteLength}</Size></Contents>`);
	const next = left.length > page.length ? `<NextContinuationToken>${Buffer.from(page.at(-1) ?? "").toString("base64")}</NextContinuationToken>` : "";
	const facts = `<Name>${bucket}</Name><EncodingType>url</EncodingType><IsTruncated>${next !== ""}</IsTruncated>`;
	return { status: 200, body: `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${facts}${next}${contents.join("")}</ListBucketResult>` };
}

function listUploads(query: URLSearchParams, { uploads }: S3Store): Reply {
	const found = [...uploads].filter(([, { key }]) => key.startsWith(query.get("prefix") ?? ""));
	const shown = found.map(
		([id, { key, begunAt }]) => `<Upload><Key>${written(key)}</Key><UploadId>${id}</UploadId><Initiated>${begunAt.toISOString()}</Initiated></Upload>`,
	);
	return { status: 200, body: `<ListMultipartUploadsResult><EncodingType>url</EncodingType>${shown.join("")}</ListMultipartUploadsResult>` };
}
