/** The stored state of a request with an `Idempotency-Key`: that it has begun, and later its answer. */

import { type Static, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { requestIdHeader } from "../wire/answers/headers.ts";

const answerSchema = Type.Object({
	status: Type.Integer(),
	headers: Type.Record(Type.String(), Type.String()),
	/** Base64, since it has to come back byte for byte. */
	body: Type.String(),
});

const recordSchema = Type.Object({
	/** SHA-256 of method, path and query. */
	asked: Type.String(),
	/** Null until it was answered. */
	answered: Type.Union([
		Type.Null(),
		Type.Object({
			/** SHA-256 of the body it came with. */
			body: Type.String(),
			/** Null where it cannot be stored. */
			answer: Type.Union([Type.Null(), answerSchema]),
		}),
	]),
});

export type StoredResponse = Static<typeof answerSchema>;
export type IdempotencyRecord = Static<typeof recordSchema>;

const compiled = TypeCompiler.Compile(recordSchema);

/** Null for any other value. */
export function asIdempotencyRecord(value: unknown): IdempotencyRecord | null {
	return compiled.Check(value) ? value : null;
}

/** Headers that are stored; others are constant, or about the moment. The request id refers to the log of the first request. */
const headersKept = ["content-type", "location", "x-should-retry"];

/** Responses to writes are far shorter than this. */
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
