/** Signs requests to S3 by signature version 4, their bodies included. */

import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";

export interface SigningKeys {
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	/** Only for temporary keys. */
	readonly sessionToken?: string | null;
	readonly region: string;
}

export interface UnsignedRequest {
	readonly method: string;
	readonly url: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: Uint8Array | undefined;
}

/** @returns all headers of the request, with the signature */
export async function signedHeaders(request: UnsignedRequest, { sessionToken, ...keys }: SigningKeys, now: Date): Promise<Readonly<Record<string, string>>> {
	const { method, url, headers, body = new Uint8Array() } = request;
	const signer = new AwsV4Signer({
		...keys,
		...(sessionToken && { sessionToken }),
		method,
		url,
		service: "s3",
		headers: { ...headers, "x-amz-content-sha256": createHash("sha256").update(body).digest("hex") },
		datetime: now.toISOString().replace(/[:-]|\.\d{3}/g, ""),
	});
	return Object.fromEntries((await signer.sign()).headers);
}

/**
 * The URL of a bucket. On AWS the bucket is part of the host name, unless its name has dots or other characters that certificates do not
 * match. Elsewhere it is part of the path.
 *
 * @param endpoint empty for AWS
 */
export function bucketUrl({ endpoint, bucket, region }: { readonly endpoint: string; readonly bucket: string; readonly region: string }): string {
	if (endpoint !== "") return `${endpoint.replace(/\/+$/, "")}/${bucket}`;
	const domain = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
	return /[.A-Z_]/.test(bucket) ? `https://${domain}/${bucket}` : `https://${bucket}.${domain}`;
}
