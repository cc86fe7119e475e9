/** `s3://bucket/prefix?endpoint=https://…&region=…`: where backups are in a bucket, and who it belongs to. */

import type { Settings } from "../../settings/settings.ts";

export interface S3Address {
	readonly bucket: string;
	/** The path in the bucket, without slashes at its ends. */
	readonly path: string;
	/** The origin of the service; null for AWS. */
	readonly endpoint: string | null;
	readonly region: string | null;
}

export const s3Expected = "an address such as s3://bucket/prefix, with ?endpoint=https://minio.example.com for a service other than AWS, and &region=…";
const bucketPattern = /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,61}[a-zA-Z0-9]$/;
const parameters: ReadonlySet<string> = new Set(["endpoint", "region"]);

export function isS3Address(text: string): boolean {
	return /^s3:/i.test(text.trim());
}

/** Null if it is not valid. */
export function parseS3Address(text: string): S3Address | null {
	const url = URL.parse(text.trim());
	const bucket = /^s3:\/\/([^/?#]+)/i.exec(text.trim())?.[1] ?? "";
	if (url === null || url.hash !== "" || !bucketPattern.test(bucket)) return null;
	const { searchParams } = url;
	if ([...searchParams.keys()].some((name) => !parameters.has(name))) return null;
	const [endpoint, region] = [searchParams.get("endpoint"), searchParams.get("region")];
	if ((endpoint !== null && !isOrigin(endpoint)) || (region !== null && !/^[a-z0-9-]{2,40}$/.test(region))) return null;
	const path = decode(url.pathname);
	// Clients and servers remove such segments from URLs.
	if (path === null || path.split("/").some((segment) => segment === "." || segment === "..")) return null;
	return { bucket, path: path.replace(/^\/+|\/+$/g, ""), endpoint: endpoint?.replace(/\/+$/, "") ?? null, region };
}

/** On AWS the bucket is part of the host name, unless certificates do not match its name. Elsewhere it is part of the path. */
export function bucketUrl({ bucket, endpoint, region }: S3Address, { endpoint: usual, region: usualRegion }: Settings["s3"]): { url: string; region: string } {
	const origin = endpoint ?? usual;
	const used = region ?? usualRegion;
	if (origin !== null) return { url: `${origin}/${bucket}`, region: used };
	const domain = `s3.${used}.amazonaws.com${used.startsWith("cn-") ? ".cn" : ""}`;
	return { url: /[.A-Z_]/.test(bucket) ? `https://${domain}/${bucket}` : `https://${bucket}.${domain}`, region: used };
}

function isOrigin(text: string): boolean {
	const url = URL.parse(text);
	if (url === null || !["http:", "https:"].includes(url.protocol)) return false;
	return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}

function decode(text: string): string | null {
	try {
		return decodeURIComponent(text);
	} catch {
		return null;
	}
}
