/**
 * The stored record of a request with an `Idempotency-Key`. It is written when the request begins, and completed with its response. Responses
 * contain texts, and bodies may be guessed by their hash. They must not outlive what is deleted, so they are encrypted with a key that is
 * derived from the `Idempotency-Key`, which only the client has.
 */

import { hkdfSync } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { createVault } from "../auth/vault.ts";
import { requestIdHeader } from "../wire/responses/headers.ts";

const responseSchema = Type.Object({
	status: Type.Integer(),
	headers: Type.Record(Type.String(), Type.String()),
	/** Base64, because a body may be any bytes. */
	body: Type.String(),
});

const answeredSchema = Type.Object({
	/** SHA-256 of the request's body. */
	body: Type.String(),
	/** The response; null if it cannot be stored. */
	answer: Type.Union([Type.Null(), responseSchema]),
});

const recordSchema = Type.Object({
	/** SHA-256 of method, path and query. */
	asked: Type.String(),
	/** Until when the request is in flight, unless it says so again; absent where one program answers all requests. */
	inFlightUntil: Type.Optional(Type.Number()),
	/** Null until the request is finished. Earlier versions have written here what is in `sealed` now. */
	answered: Type.Union([Type.Null(), answeredSchema]),
	/** What was answered, encrypted. Earlier versions do not read it. */
	sealed: Type.Optional(Type.String()),
});

export type StoredResponse = Static<typeof responseSchema>;
export type IdempotencyRecord = Static<typeof recordSchema>;

export type Answered = Static<typeof answeredSchema>;

const compiled = TypeCompiler.Compile(recordSchema);
const compiledAnswered = TypeCompiler.Compile(answeredSchema);
const purpose = "idempotency";

/** Validates a stored value; null if it is not such a record. */
export function asIdempotencyRecord(value: unknown): IdempotencyRecord | null {
	return compiled.Check(value) ? value : null;
}

/** Used instead of the hash if the body was not received completely, so that a repeated request cannot be compared with it. */
export const unknownBody = "";

/** A server of an earlier version that shares the storage finds an answer that is not known. @param keyId the id of the API key of the request */
export function sealAnswered(answered: Answered, idempotencyKey: string, keyId: string): Pick<IdempotencyRecord, "answered" | "sealed"> {
	const sealed = vaultOf(idempotencyKey, keyId).seal(JSON.stringify(answered), purpose);
	return { answered: { body: unknownBody, answer: null }, sealed };
}

/** Null if the request is not finished, or its answer cannot be decrypted. */
export function openAnswered({ answered: plain, sealed }: IdempotencyRecord, idempotencyKey: string, keyId: string): Answered | null {
	if (sealed === undefined) return plain;
	const opened = vaultOf(idempotencyKey, keyId).open(sealed, purpose);
	const answered: unknown = opened === null ? null : JSON.parse(opened);
	return compiledAnswered.Check(answered) ? answered : null;
}

function vaultOf(idempotencyKey: string, keyId: string) {
	return createVault(new Uint8Array(hkdfSync("sha256", idempotencyKey, keyId, "cairn idempotency", 32)));
}

/** Response headers that are stored; others are constant, or depend on the time. The request id stays that of the first request. */
const storedHeaderNames = ["content-type", "location", "x-should-retry"];

/** Longer responses are not stored; responses to writes are far shorter. */
const storedBytesMax = 1024 * 1024;

/** @returns the response to send, and the one to store; the latter is null if it is too long. */
export async function readResponse(response: Response, requestId: string): Promise<{ readonly sent: Response; readonly stored: StoredResponse | null }> {
	const bytes = new Uint8Array(await response.arrayBuffer());
	const { status, headers } = response;
	const storedHeaders = Object.fromEntries(storedHeaderNames.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])));
	return {
		sent: new Response(response.body === null ? null : bytes, { status, headers }),
		stored:
			bytes.byteLength > storedBytesMax
				? null
				: { status, headers: { ...storedHeaders, [requestIdHeader]: requestId }, body: Buffer.from(bytes).toString("base64") },
	};
}

export function replayResponse({ status, headers, body }: StoredResponse): Response {
	const bytes = body === "" ? null : Buffer.from(body, "base64");
	return new Response(bytes, { status, headers: { ...headers, "idempotency-replayed": "true" } });
}
