/** The stored record of a request with an `Idempotency-Key`: that it has begun, and later its response. */

import { type Static, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { requestIdHeader } from "../wire/answers/headers.ts";

const answerSchema = Type.Object({
	status: Type.Integer(),
	headers: Type.Record(Type.String(), Type.String()),
	/** Base64, because the bytes have to be preserved. */
	body: Type.String(),
});

const recordSchema = Type.Object({
	/** SHA-256 of method, path and query. */
	asked: Type.String(),
	/** Null until the request is finished. */
	answered: Type.Union([
		Type.Null(),
		Type.Object({
			/** SHA-256 of the request's body. */
			body: Type.String(),
			/** The response; null if it cannot be stored. */
			answer: Type.Union([Type.Null(), answerSchema]),
		}),
	]),
});

export type StoredResponse = Static<typeof answerSchema>;
export type IdempotencyRecord = Static<typeof recordSchema>;

const compiled = TypeCompiler.Compile(recordSchema);

/** Validates a stored value; null if it is no such record. */
export function asIdempotencyRecord(value: unknown): IdempotencyRecord | null {
	return compiled.Check(value) ? value : null;
}

/** Response headers that are stored; others are constant, or depend on the time. The request id stays that of the first request. */
const headersKept = ["content-type", "location", "x-should-retry"];

/** Longer responses are not stored; responses to writes are far shorter. */
const answerBytesMax = 1024 * 1024;

/** @returns the response to send, and the one to store: null when it is too long. */
export async function readResponse(answer: Response, requestId: string): Promise<{ readonly sent: Response; readonly kept: StoredResponse | null }> {
	const bytes = new Uint8Array(await answer.arrayBuffer());
	const { status, headers } = answer;
	const keptHeaders = Object.fromEntries(headersKept.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])));
	return {
		sent: new Response(answer.body === null ? null : bytes, { status, headers }),
		kept:
			bytes.byteLength > answerBytesMax
				? null
				: { status, headers: { ...keptHeaders, [requestIdHeader]: requestId }, body: Buffer.from(bytes).toString("base64") },
	};
}

export function replayResponse({ status, headers, body }: StoredResponse): Response {
	const bytes = body === "" ? null : Buffer.from(body, "base64");
	return new Response(bytes, { status, headers: { ...headers, "idempotency-replayed": "true" } });
}
