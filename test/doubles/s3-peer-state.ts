/** What the small S3 has in its bucket, and how it refuses requests. */

import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Keys } from "./s3-signature.ts";

export interface Upload {
	readonly key: string;
	readonly parts: Map<number, Buffer>;
	readonly encryption: string | null;
	readonly begunAt: string;
}

export interface S3Peer {
	readonly host: string;
	readonly endpoint: string;
	readonly keys: Keys & { readonly bucket: string };
	/** For `cairn`: `s3://bucket/path?endpoint=…&region=…`. */
	readonly address: (path: string) => string;
	/** For `cairn`: the keys. */
	readonly env: Readonly<Record<string, string>>;
	readonly objects: Map<string, string | Uint8Array>;
	/** ETags that are not those of the bytes: of objects in parts. */
	readonly etags: Map<string, string>;
	/** What was requested for an object, by its key. */
	readonly encryption: Map<string, string>;
	readonly uploads: Map<string, Upload>;
	/** Every request, as method and path with query, since the start. */
	readonly requests: string[];
	/** The same as `PUT key`, without queries. */
	readonly called: string[];
	/** What a request is answered in place of the right answer: a status, no answer, or half of it. */
	trouble: (method: string, key: string, query: URLSearchParams) => number | "stall" | "cut" | null;
	/** Whether it knows `If-None-Match`; older services ignore it. */
	knowsConditions: boolean;
	/** What happens to the next requests: a status is answered before, `drop` closes the connection before, `lose` after they took effect. */
	readonly faults: (number | "drop" | "lose" | null)[];
	/** Requests by kind, since the last `forget`. */
	readonly asked: { lists: number; gets: string[] };
	/** Objects that answer this status. */
	readonly troubled: Map<string, number>;
	readonly storageClasses: Map<string, string>;
	/** How many objects a page has, however many are asked for. */
	pageMax: number;
	/** Lists that go on come without their tokens, or with empty ones. */
	hidesTokens: "absent" | "empty" | null;
	isStalled: boolean;
	readonly close: () => void;
}

export const etagOf = (content: string | Uint8Array): string => createHash("md5").update(content).digest("hex");

/** The objects that are texts, by their keys. */
export const textsOf = ({ objects }: S3Peer): Map<string, string> => new Map([...objects].map(([key, content]) => [key, Buffer.from(content).toString()]));

/** The bytes of an object; none if it is not there. */
export const bytesIn = ({ objects }: S3Peer, key: string): Buffer => Buffer.from(objects.get(key) ?? "");

/** As S3 does, with what must never be shown in it. */
export function refuse(response: ServerResponse, status: number, code: string, { keys }: S3Peer): ServerResponse {
	const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>no</Message><AWSAccessKeyId>${keys.accessKeyId}</AWSAccessKeyId><StringToSign>${keys.secretAccessKey}</StringToSign></Error>`;
	return response.writeHead(status, { "content-type": "application/xml" }).end(body);
}

/** How keys are written in a list. */
export function writerOf(query: URLSearchParams): (key: string) => string {
	return query.get("encoding-type") === "url" ? (key) => encodeURIComponent(key).replaceAll("%20", "+").replaceAll("%2F", "/") : escapeXml;
}

export function escapeXml(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
