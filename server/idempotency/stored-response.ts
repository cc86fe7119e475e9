/** The stored record of a request with an `Idempotency-Key`. It is written when the request begins, and completed with its response. */

import { type Static, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { requestIdHeader } from "../wire/responses/headers.ts";

const responseSchema = Type.Object({
	status: Type.Integer(),
	headers: Type.Record(Type.String(), Type.String()),
	/** Base64, because a body may be any bytes. */
	body: Type.String(),
});

const recordSchema = Type.Object({
	/** SHA-256 of method, path and query. */
	asked: Type.String(),
	/** Until when the request is in flight, unless it says so again; absent where one program answers all requests. */
	inFlightUntil: Type.Optional(Type.Number()),
	/** Null until the request is finished. */
	answered: Type.Union([
		Type.Null(),
		Type.Object({
			/** SHA-256 of the request's body. */
			body: Type.String(),
			/** The response; null if it cannot be stored. */
			answer: Type.Union([Type.Null(), responseSchema]),
		}),
	]),
});

export type StoredResponse = Static<typeof responseSchema>;
export type IdempotencyRecord = Static<typeof recordSchema>;

const compiled = TypeCompiler.Compile(recordSchema);

/** Validates a stored value; null if it is not such a record. */
export function asIdempotencyRecord(value: unknown): IdempotencyRecord | null {
	return compiled.Check(value) ? value : null;
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
