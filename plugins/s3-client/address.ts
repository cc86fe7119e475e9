/** `s3://bucket/prefix?endpoint=https://minio.example.com&region=…`: where objects are, without the keys that may read them. */

export interface S3Address {
	readonly bucket: string;
	/** Put before every key; empty, or with a slash at its end. */
	readonly prefix: string;
	/** The URL of the service; null if the address names none. */
	readonly endpoint: string | null;
	readonly region: string | null;
	/** Headers that request encryption on the server; empty if the bucket's default applies. */
	readonly encryption: Readonly<Record<string, string>>;
}

/** Why an address is not valid, as what it should do, such as "have a region such as eu-central-1". */
export interface Unfit {
	readonly expected: string;
}

const parameterNames: ReadonlySet<string> = new Set(["endpoint", "region", "sse", "kms_key"]);
const bucketPattern = /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,61}[a-zA-Z0-9]$/;
export const regionPattern = /^[a-z0-9-]{2,40}$/;
/** Clients and servers remove segments such as `..` from URLs. */
const prefixPattern = /^(?!\.{0,2}(\/|$))[^/\p{Cc}]+(\/(?!\.{0,2}(\/|$))[^/\p{Cc}]+)*$/u;

export function isS3Address(text: string): boolean {
	return /^s3:/i.test(text.trim());
}

export function parseS3Address(text: string): S3Address | Unfit {
	const url = URL.parse(text.trim());
	if (url?.protocol !== "s3:" || !bucketPattern.test(url.host))
		return {
			expected: "begin with s3:// and the name of a bucket, such as s3://bucket/prefix, with ?endpoint=https://minio.example.com for a service other than AWS",
		};
	if (url.username !== "" || url.password !== "") return { expected: "contain no keys; they are set as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" };
	const parameters = url.searchParams;
	const unknown = [...parameters.keys()].find((name) => !parameterNames.has(name));
	if (unknown !== undefined) return { expected: `have no parameter ${unknown}; there are ${[...parameterNames].join(", ")}` };
	const path = decode(url.pathname)?.replaceAll(/^\/+|\/+$/g, "");
	if (path === undefined || url.hash !== "" || (path !== "" && !prefixPattern.test(path)))
		return { expected: "have a prefix after the bucket whose parts are neither empty nor dots, without # and with escapes such as %20 only" };
	const [endpoint, region] = [parameters.get("endpoint"), parameters.get("region")];
	if (endpoint !== null && !isEndpoint(endpoint)) return { expected: "have an endpoint that is an http or https URL without a user and a query" };
	if (region !== null && !regionPattern.test(region)) return { expected: "have a region such as eu-central-1" };
	const encryption = encryptionHeaders(parameters);
	if (typeof encryption === "string") return { expected: encryption };
	return { bucket: url.host, prefix: path === "" ? "" : `${path}/`, endpoint, region, encryption };
}

/** The headers, or what the parameters should have. */
function encryptionHeaders(parameters: URLSearchParams): S3Address["encryption"] | string {
	const [sse, kmsKey] = [parameters.get("sse"), parameters.get("kms_key")];
	if (sse !== null && sse !== "AES256" && sse !== "aws:kms") return "have sse=AES256 or sse=aws:kms";
	if (kmsKey !== null && sse !== "aws:kms") return "have sse=aws:kms where it has a kms_key";
	return {
		...(sse !== null && { "x-amz-server-side-encryption": sse }),
		...(kmsKey !== null && { "x-amz-server-side-encryption-aws-kms-key-id": kmsKey }),
	};
}

function isEndpoint(text: string): boolean {
	const url = URL.parse(text);
	if (url === null || !["http:", "https:"].includes(url.protocol)) return false;
	return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}

function decode(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
