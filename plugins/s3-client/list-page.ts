/** Parses the XML responses of ListObjectsV2, and the error codes of S3. */

import { createHash } from "node:crypto";
import { readElements } from "../formats/xml/read-elements.ts";

export interface ListedObject {
	readonly key: string;
	readonly etag: string;
	/** In bytes. */
	readonly size: number;
	/** The time of the last change, as S3 writes it (ISO 8601). */
	readonly modified: string | null;
	readonly storageClass: string | null;
}

export interface ListPage {
	readonly objects: readonly ListedObject[];
	/** The token of the next page; null if this page is the last. */
	readonly next: string | null;
}

/** Null if the XML is not an object list, or one that goes on and has no token: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
export function parseListPage(xml: string): ListPage | null {
	const objects: ListedObject[] = [];
	const listFields = new Map<string, string>();
	let fields = new Map<string, string>();
	try {
		readElements(xml, (path, text) => {
			const [root, second, third] = path.split("/");
			if (third !== undefined) fields.set(third, text);
			else if (second === "Contents") {
				objects.push(objectOf(fields));
				fields = new Map();
			} else {
				fields = new Map();
				listFields.set(second ?? `/${root}`, text);
			}
		});
	} catch {
		return null;
	}
	if (!listFields.has("/ListBucketResult")) return null;
	const isEncoded = listFields.get("EncodingType") === "url";
	const next = listFields.get("IsTruncated") === "true" ? (listFields.get("NextContinuationToken") ?? "") : null;
	if (next === "") return null;
	return { objects: isEncoded ? objects.map((object) => ({ ...object, key: decodeKey(object.key) })) : objects, next };
}

/** The error code in a response, such as `NoSuchKey`; null if there is none. Error messages are ignored, because they repeat keys and signatures. */
export function errorCodeOf(bytes: Uint8Array): string | null {
	let code: string | null = null;
	try {
		readElements(new TextDecoder().decode(bytes.subarray(0, 65_536)), (path, text) => {
			if (path === "Error/Code" && /^[A-Za-z0-9]{1,64}$/.test(text)) code = text;
		});
	} catch {
		return code;
	}
	return code;
}

function objectOf(fields: ReadonlyMap<string, string>): ListedObject {
	return {
		key: fields.get("Key") ?? "",
		etag: limitEtag((fields.get("ETag") ?? "").replaceAll('"', "")),
		size: Number(fields.get("Size") ?? 0),
		modified: fields.get("LastModified") ?? null,
		storageClass: fields.get("StorageClass") ?? null,
	};
}

/** Hashes long ETags, because the cursor has ten thousand of them. Those of S3 have at most 38 characters; other services may send longer ones. */
function limitEtag(etag: string): string {
	return etag.length <= 64 ? etag : createHash("sha256").update(etag).digest("base64url");
}

/** S3 encodes a space as `+`. */
export function decodeKey(key: string): string {
	try {
		return decodeURIComponent(key.replaceAll("+", " "));
	} catch {
		return key;
	}
}
