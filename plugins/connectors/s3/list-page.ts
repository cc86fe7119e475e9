/** Parses the XML of ListObjectsV2, and error codes. */

import { createHash } from "node:crypto";
import { readXml } from "../read-xml.ts";

export interface ListedObject {
	readonly key: string;
	readonly etag: string;
	readonly size: number;
	readonly modified: string | null;
	readonly storageClass: string | null;
}

export interface ListPage {
	readonly objects: readonly ListedObject[];
	/** Null when this page is the last. */
	readonly next: string | null;
}

/** Null when it is not a list. */
export function parseListPage(xml: string): ListPage | null {
	const objects: ListedObject[] = [];
	const top = new Map<string, string>();
	let facts = new Map<string, string>();
	try {
		readXml(xml, (path, text) => {
			const [root, second, third] = path.split("/");
			if (third !== undefined) facts.set(third, text);
			else if (second === "Contents") {
				objects.push(objectOf(facts));
				facts = new Map();
			} else {
				facts = new Map();
				top.set(second ?? `/${root}`, text);
			}
		});
	} catch {
		return null;
	}
	if (!top.has("/ListBucketResult")) return null;
	const isEncoded = top.get("EncodingType") === "url";
	const next = top.get("IsTruncated") === "true" ? (top.get("NextContinuationToken") ?? null) : null;
	return { objects: isEncoded ? objects.map((object) => ({ ...object, key: decoded(object.key) })) : objects, next };
}

/** For example `NoSuchKey`; null when there is none. Error messages are ignored, since they repeat keys and signatures. */
export function errorCodeOf(bytes: Uint8Array): string | null {
	let code: string | null = null;
	try {
		readXml(new TextDecoder().decode(bytes.subarray(0, 65_536)), (path, text) => {
			if (path === "Error/Code" && /^[A-Za-z0-9]{1,64}$/.test(text)) code = text;
		});
	} catch {
		return code;
	}
	return code;
}

function objectOf(facts: ReadonlyMap<string, string>): ListedObject {
	return {
		key: facts.get("Key") ?? "",
		etag: shortened((facts.get("ETag") ?? "").replaceAll('"', "")),
		size: Number(facts.get("Size") ?? 0),
		modified: facts.get("LastModified") ?? null,
		storageClass: facts.get("StorageClass") ?? null,
	};
}

/** S3's ETags have at most 38 characters, other services may have longer ones, and the cursor has ten thousand of them. */
function shortened(etag: string): string {
	return etag.length <= 64 ? etag : createHash("sha256").update(etag).digest("base64url");
}

/** S3 writes a blank as `+`. */
function decoded(key: string): string {
	try {
		return decodeURIComponent(key.replaceAll("+", " "));
	} catch {
		return key;
	}
}
