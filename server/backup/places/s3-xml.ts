/** Reads the few elements of S3's XML that are needed. Names are requested URL-encoded, so they contain no markup. */

export interface S3Page {
	readonly files: readonly { readonly key: string; readonly bytes: number }[];
	/** The token of the next page; null if this page is the last. */
	readonly next: string | null;
}

/** Null if it is not a list of objects. */
export function parseList(bytes: Uint8Array): S3Page | null {
	const xml = textOf(bytes);
	if (!/<ListBucketResult[\s>]/.test(xml)) return null;
	const files = blocks(xml, "Contents").map((block) => ({ key: decodeKey(element(block, "Key") ?? ""), bytes: Number(element(block, "Size") ?? 0) }));
	return { files, next: element(xml, "IsTruncated") === "true" ? element(xml, "NextContinuationToken") : null };
}

export interface S3Upload {
	readonly key: string;
	readonly uploadId: string;
	readonly begunAt: Date;
}

/** Multipart uploads that were begun and not completed. */
export function parseUploads(bytes: Uint8Array): readonly S3Upload[] {
	return blocks(textOf(bytes), "Upload").map((block) => ({
		key: decodeKey(element(block, "Key") ?? ""),
		uploadId: element(block, "UploadId") ?? "",
		begunAt: new Date(element(block, "Initiated") ?? ""),
	}));
}

export function uploadIdOf(bytes: Uint8Array): string | null {
	return element(textOf(bytes), "UploadId");
}

/** The code of an error, such as `NoSuchKey`. Completing an upload may answer one with status 200. */
export function errorCodeOf(bytes: Uint8Array): string | null {
	const [error] = blocks(textOf(bytes.subarray(0, 65_536)), "Error");
	return /^[A-Za-z0-9]{1,64}$/.exec(element(error ?? "", "Code") ?? "")?.[0] ?? null;
}

export function completionOf(etags: readonly string[]): Uint8Array {
	const parts = etags.map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</ETag></Part>`);
	return new TextEncoder().encode(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
}

function textOf(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes);
}

function blocks(xml: string, name: string): readonly string[] {
	return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, block = ""]) => block);
}

function element(xml: string, name: string): string | null {
	const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
	return text?.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&").trim() ?? null;
}

/** S3 encodes a space as `+`. */
function decodeKey(key: string): string {
	try {
		return decodeURIComponent(key.replaceAll("+", " "));
	} catch {
		return key;
	}
}
