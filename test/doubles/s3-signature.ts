/** Signature version 4 as the server sees it, written after the specification and with no code of the client's. */

import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface Keys {
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	readonly region: string;
	/** If present, requests must have it, signed. */
	readonly sessionToken?: string;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
/** The client and the server may disagree about the time by a quarter of an hour. */
const skewMsMax = 15 * 60_000;

/** The code of the error, as S3 names it; null when the request is signed rightly. */
export function signatureFault(request: IncomingMessage, keys: Keys): string | null {
	const header = request.headers.authorization ?? "";
	const parts = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
		header,
	);
	if (parts === null) return header === "" ? "AccessDenied" : "AuthorizationHeaderMalformed";
	const [, id, day = "", region = "", service = "", signedHeaders = "", signature] = parts;
	if (id !== keys.accessKeyId) return "InvalidAccessKeyId";
	if (region !== keys.region || service !== "s3") return "AuthorizationHeaderMalformed";
	const names = signedHeaders.split(";");
	// Whatever says what is asked and when must be signed.
	if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => names.includes(name))) return "AccessDenied";
	if (keys.sessionToken !== undefined && (request.headers["x-amz-security-token"] !== keys.sessionToken || !names.includes("x-amz-security-token")))
		return "InvalidToken";
	const date = String(request.headers["x-amz-date"]);
	const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
	if (!date.startsWith(day) || !(Math.abs(Date.now() - at) < skewMsMax)) return "RequestTimeTooSkewed";
	const toSign = ["AWS4-HMAC-SHA256", date, `${day}/${region}/${service}/aws4_request`, sha256(canonical(request, names))].join("\n");
	const key = hmac(hmac(hmac(hmac(`AWS4${keys.secretAccessKey}`, day), region), service), "aws4_request");
	return hmac(key, toSign).toString("hex") === signature ? null : "SignatureDoesNotMatch";
}

function canonical(request: IncomingMessage, names: readonly string[]): string {
	const [path = "", query = ""] = (request.url ?? "").split("?");
	const pairs = query === "" ? [] : query.split("&").map((pair) => pair.split("=").map((part) => encode(decodeURIComponent(part))));
	const sorted = pairs.map(([name = "", value = ""]) => `${name}=${value}`).toSorted();
	const uri = path.split("/").map((part) => encode(decodeURIComponent(part)));
	const headers = names.map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, " ")}\n`);
	return [request.method, uri.join("/"), sorted.join("&"), headers.join(""), names.join(";"), request.headers["x-amz-content-sha256"]].join("\n");
}

/** Everything but letters, digits and `-._~`. */
function encode(text: string): string {
	return [...new TextEncoder().encode(text)]
		.map((byte) => (/[A-Za-z0-9._~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`))
		.join("");
}
