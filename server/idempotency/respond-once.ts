/**
 * `Idempotency-Key`: a repeated request gets the stored response and is not executed again. A record is written before the route
 * runs, and the response is stored before it is sent. If the server stops in between, the record has no response; the request may have
 * had an effect, so a repeated one gets an error.
 */

import { createHash } from "node:crypto";
import { fail, type ServiceError } from "../../core/errors/fail.ts";
import { limits } from "../../core/model/limits.ts";
import type { ApiKey } from "../../core/ports/account-store.ts";
import type { RecordStore } from "../../core/ports/record-store.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { World } from "../../core/ports/world.ts";
import { createSettledClock } from "../../core/runtime/settled-clock.ts";
import { errorResponse } from "../wire/responses/error.ts";
import { type HashedBody, hashBody } from "./hashed-body.ts";
import { asIdempotencyRecord, openAnswered, readResponse, replayResponse, sealAnswered, unknownBody } from "./stored-response.ts";

/** A request that must be executed only once. */
export interface IdempotentRequest {
	readonly request: Request;
	/** The API key of the request. Different API keys may use the same idempotency key. */
	readonly key: Pick<ApiKey, "id" | "organisation">;
	readonly idempotencyKey: string;
	/** False for a response that contains a secret. */
	readonly storesResponse: boolean;
	readonly requestId: string;
}

export interface RespondOnce {
	/** The idempotency key; null if the header is missing. @throws ServiceError `INPUT_INVALID` */
	readonly keyOf: (request: Request) => string | null;
	/** @param act runs the route. It must not throw, and has to read the body from its parameter. */
	readonly respond: (idempotent: IdempotentRequest, act: (request: Request) => Promise<Response>) => Promise<Response>;
}

export interface IdempotencyParts {
	readonly storage: Pick<Storage, "organisation" | "supports">;
	readonly world: Pick<World, "now" | "steadyNow" | "sleep">;
	/** The longest body that any route reads. */
	readonly bodyBytesMax: number;
}

/** How long responses are stored. */
const retentionMs = 24 * 60 * 60 * 1_000;
const kind = "idempotency";

export function createRespondOnce({ storage, world, bodyBytesMax }: IdempotencyParts): RespondOnce {
	const inFlight = new Set<string>();
	/** A clock that is ahead for a while must not end a record: the request would be executed again. */
	const settledNow = createSettledClock(world);

	async function runFirst(
		id: string,
		requestHash: string,
		{ request, digest }: HashedBody,
		records: RecordStore,
		{ key, idempotencyKey, storesResponse, requestId }: IdempotentRequest,
		act: (request: Request) => Promise<Response>,
	) {
		inFlight.add(id);
		const stop = new AbortController();
		const showing = showInFlight(records, id, requestHash, stop.signal);
		try {
			const { sent, stored } = await readResponse(await act(request), requestId);
			stop.abort();
			await showing;
			const body = await digest().catch(() => null);
			// After a transient error or an aborted request the client may try again.
			if (sent.status >= 500 || sent.status === 429 || (body === null && sent.status >= 400)) await records.remove(kind, id);
			else {
				const answered = sealAnswered({ body: body ?? unknownBody, answer: storesResponse ? stored : null }, idempotencyKey, key.id);
				await write(records, id, { asked: requestHash, ...answered }, null);
			}
			return sent;
		} finally {
			stop.abort();
			inFlight.delete(id);
		}
	}

	/** For the other servers that share the storage. */
	const untilShown = () => (storage.supports.manyWriters ? { inFlightUntil: world.steadyNow().getTime() + limits.leaseMs } : {});

	async function showInFlight(records: RecordStore, id: string, asked: string, signal: AbortSignal): Promise<void> {
		while (storage.supports.manyWriters && !signal.aborted) {
			await world.sleep(limits.leaseMs / 3, signal);
			if (!signal.aborted) await write(records, id, { asked, answered: null, ...untilShown() }, null).catch(() => undefined);
		}
	}

	async function respondToRepeated(
		id: string,
		requestHash: string,
		{ digest }: HashedBody,
		records: RecordStore,
		{ key, idempotencyKey, requestId }: IdempotentRequest,
	): Promise<Response> {
		const refuse = (code: "IDEMPOTENCY_IN_FLIGHT" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_UNKNOWN") => refusal(fail(code), requestId);
		const record = asIdempotencyRecord((await records.get(kind, id, settledNow()))?.value);
		// The first request has just failed with a transient error and removed its record.
		if (record === null) return refuse("IDEMPOTENCY_IN_FLIGHT");
		if (record.asked !== requestHash) return refuse("IDEMPOTENCY_KEY_REUSED");
		const isInFlight = inFlight.has(id) || (record.inFlightUntil ?? 0) > world.steadyNow().getTime();
		if (record.answered === null) return refuse(isInFlight ? "IDEMPOTENCY_IN_FLIGHT" : "IDEMPOTENCY_UNKNOWN");
		const answered = openAnswered(record, idempotencyKey, key.id);
		if (answered === null || answered.body === unknownBody) return refuse("IDEMPOTENCY_UNKNOWN");
		if (answered.body !== (await digest().catch(() => null))) return refuse("IDEMPOTENCY_KEY_REUSED");
		return answered.answer === null ? refuse("IDEMPOTENCY_UNKNOWN") : replayResponse(answered.answer);
	}

	/** @returns whether it was written. With `expected` 0, only one of several concurrent requests succeeds. */
	async function write(records: RecordStore, id: string, value: Parameters<RecordStore["put"]>[2], expected: 0 | null): Promise<boolean> {
		const now = settledNow();
		return (await records.put(kind, id, value, { expected, now, expiresAt: new Date(now.getTime() + retentionMs) })) !== null;
	}

	return {
		keyOf: idempotencyKeyOf,
		respond: async (idempotent, act) => {
			const { request, key, idempotencyKey } = idempotent;
			const { pathname, search } = new URL(request.url);
			// The store of the organisation, without the role of the caller: requests with read-only keys do not get here.
			const { records } = storage.organisation(key.organisation);
			const id = sha256(`${key.id}\n${idempotencyKey}`);
			const requestHash = sha256(`${request.method}\n${pathname}${search}`);
			const hashed = hashBody(request, bodyBytesMax);
			const isFirst = await write(records, id, { asked: requestHash, answered: null, ...untilShown() }, 0);
			return isFirst ? runFirst(id, requestHash, hashed, records, idempotent, act) : respondToRepeated(id, requestHash, hashed, records, idempotent);
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

/** The key is in quotation marks, as in the draft of the standard, or without, as most clients send it. */
function idempotencyKeyOf({ headers }: Request): string | null {
	const header = headers.get("idempotency-key");
	if (header === null) return null;
	const key = /^"(.*)"$/.exec(header.trim())?.[1] ?? header.trim();
	if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
	throw fail("INPUT_INVALID", "the Idempotency-Key header should be 1 to 255 visible characters");
}

function sha256(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}
