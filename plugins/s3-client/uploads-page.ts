/** Parses what S3 says of uploads in parts. */

import { readElements } from "../formats/xml/read-elements.ts";
import { decodeKey } from "./list-page.ts";

export interface BegunUpload {
	readonly key: string;
	readonly uploadId: string;
	readonly begunAt: Date;
}

/** The id of an upload that has just begun; null if the response has none. */
export function uploadIdOf(bytes: Uint8Array): string | null {
	let uploadId: string | null = null;
	try {
		readElements(new TextDecoder().decode(bytes), (path, text) => {
			if (path === "InitiateMultipartUploadResult/UploadId" && text !== "") uploadId = text;
		});
	} catch {
		return null;
	}
	return uploadId;
}

/** The uploads of a response to ListMultipartUploads; none if it cannot be read. */
export function parseUploads(bytes: Uint8Array): readonly BegunUpload[] {
	const uploads: BegunUpload[] = [];
	let fields = new Map<string, string>();
	let isEncoded = false;
	try {
		readElements(new TextDecoder().decode(bytes), (path, text) => {
			const [, second, third] = path.split("/");
			if (second === "EncodingType" && third === undefined) isEncoded = text === "url";
			if (second !== "Upload") return;
			if (third !== undefined) fields.set(third, text);
			else {
				uploads.push({ key: fields.get("Key") ?? "", uploadId: fields.get("UploadId") ?? "", begunAt: new Date(fields.get("Initiated") ?? "") });
				fields = new Map();
			}
		});
	} catch {
		return [];
	}
	return isEncoded ? uploads.map((upload) => ({ ...upload, key: decodeKey(upload.key) })) : uploads;
}
