/**
 * `Idempotency-Key`: a repeated request gets the stored response and is not executed again. A record is written before a route
 * acts, and its response is stored before it is sent. A record without a response, because the server stopped in between, is
 * never taken for a request without effect.
 */

import { createHash } from "node:crypto";
import { fail, type ServiceError } from "../../core/errors/fail.ts";
import type { ApiKey } from "../../core/ports/account-store.ts";
import type { RecordStore } from "../../core/ports/record-store.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { World } from "../../core/ports/world.ts";
import { errorResponse } from "../wire/answers/error.ts";
import { asIdempotencyRecord, readResponse, replayResponse } from "./stored-response.ts";
import { type WatchedBody, watchBody } from "./watched-body.ts";

/** A request that must be executed only once. */
export interface Repeatable {
	readonly request: Request;
	/** Two keys may use the same name. */
	readonly key: Pick<ApiKey, "id" | "organisation">;
	readonly name: string;
	/** False for a response with a secret, which is never stored. */
	readonly keepsAnswer: boolean;
	readonly requestId: string;
}

export interface AnswerOnce {
	/** The idempotency key; null where the header is missing. @throws ServiceError `INPUT_INVALID` */
	readonly named: (request: Request) => string | null;
	/** @param act never throws; it reads the body of the request that it is handed */
	readonly answer: (repeatable: Repeatable, act: (request: Request) => Promise<Response>) => Promise<Response>;
}

export interface IdempotencyParts {
	readonly storage: Pick<Storage, "organisation">;
	readonly world: Pick<World, "now">;
	/** The longest body that any route reads. */
	readonly bodyBytesMax: number;
}

const keptMs = 24 * 60 * 60 * 1_000;
const kind = "idempotency";

/** The body hash of a request that was aborted after the route had acted: it cannot be compared with the next one. */
const unread = "";

export function createAnswerOnce({ storage, world, bodyBytesMax }: IdempotencyParts): AnswerOnce {
	const inFlight = new Set<string>();

	async function first(
		id: string,
		asked: string,
		{ request, digest }: WatchedBody,
		records: RecordStore,
		{ keepsAnswer, requestId }: Repeatable,
		act: (request: Request) => Promise<Response>,
	) {
		inFlight.add(id);
		try {
			const { sent, kept } = await readResponse(await act(request), requestId);
			const body = await digest().catch(() => null);
			// A transient error, or an aborted request: it may be repeated.
			if (sent.status >= 500 || sent.status === 429 || (body === null && sent.status >= 400)) await records.remove(kind, id);
			else await write(records, id, { asked, answered: { body: body ?? unread, answer: keepsAnswer ? kept : null } }, null);
			return sent;
		} finally {
			inFlight.delete(id);
		}
	}

	async function again(id: string, asked: string, { digest }: WatchedBody, records: RecordStore, requestId: string): Promise<Response> {
		const refuse = (code: "IDEMPOTENCY_IN_FLIGHT" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_UNKNOWN") => refusal(fail(code), requestId);
		const record = asIdempotencyRecord((await records.get(kind, id, world.now()))?.value);
		// The first has just failed in a way that may pass, and took its record back.
		if (record === null) return refuse("IDEMPOTENCY_IN_FLIGHT");
		if (record.asked !== asked) return refuse("IDEMPOTENCY_KEY_REUSED");
		if (record.answered === null) return refuse(inFlight.has(id) ? "IDEMPOTENCY_IN_FLIGHT" : "IDEMPOTENCY_UNKNOWN");
		if (record.answered.body === unread) return refuse("IDEMPOTENCY_UNKNOWN");
		if (record.answered.body !== (await digest().catch(() => null))) return refuse("IDEMPOTENCY_KEY_REUSED");
		const { answer } = record.answered;
		return answer === null ? refuse("IDEMPOTENCY_UNKNOWN") : replayResponse(answer);
	}

	/** @returns whether it was written: with `expected` 0 only one of several requests at once is the first. */
	async function write(records: RecordStore, id: string, value: Parameters<RecordStore["put"]>[2], expected: 0 | null): Promise<boolean> {
		const now = world.now();
		return (await records.put(kind, id, value, { expected, now, expiresAt: new Date(now.getTime() + keptMs) })) !== null;
	}

	return {
		named: nameOf,
		answer: async (repeatable, act) => {
			const { request, key, name, requestId } = repeatable;
			const { pathname, search } = new URL(request.url);
			// For every role: one that may only read is refused before it comes here.
			const { records } = storage.organisation(key.organisation);
			const id = sha256(`${key.id}\n${name}`);
			const asked = sha256(`${request.method}\n${pathname}${search}`);
			const watched = watchBody(request, bodyBytesMax);
			const isFirst = await write(records, id, { asked, answered: null }, 0);
			return isFirst ? first(id, asked, watched, records, repeatable, act) : again(id, asked, watched, records, requestId);
		},
	};
}

function refusal(error: ServiceError, requestId: string): Response {
	const response = errorResponse(error, requestId);
	if (error.code !== "IDEMPOTENCY_IN_FLIGHT") return response;
	response.headers.set("x-should-retry", "true");
	response.headers.set("retry-after", "1");
	return response;
}

/** With quotation marks, as in the draft, or without, as most clients send it. */
function nameOf({ headers }: Request): string | null {
	const header = headers.get("idempotency-key");
	if (header === null) return null;
	const name = /^"(.*)"$/.exec(header.trim())?.[1] ?? header.trim();
	if (/^[\x21-\x7e]{1,255}$/.test(name)) return name;
	throw fail("INPUT_INVALID", "the Idempotency-Key header should be 1 to 255 visible characters");
}

function sha256(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}
