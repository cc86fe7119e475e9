/**
 * `Idempotency-Key`: a request that comes again is answered again and not done again. Before a route may act, a record says
 * that it has begun; before its answer leaves, the answer is kept. A record that was begun and never answered, because the
 * server stopped in between, is never taken for one that had no effect.
 */

import { createHash } from "node:crypto";
import { fail, type ServiceError } from "../../core/errors/fail.ts";
import type { RecordStore } from "../../core/ports/record-store.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { World } from "../../core/ports/world.ts";
import type { RequestGuard } from "../auth/request-guard.ts";
import { errorResponse } from "../wire/error.ts";
import { requestIdHeader, standardHeaders } from "../wire/standard-headers.ts";
import { asIdempotencyRecord, repeatAnswer, takeAnswer } from "./kept-answer.ts";
import { type WatchedBody, watchBody } from "./watched-body.ts";

export type Handle = (request: Request) => Response | Promise<Response>;

export interface IdempotencyParts {
	readonly storage: Storage;
	readonly guard: RequestGuard;
	readonly world: World;
	/** The longest body that any route reads. */
	readonly bodyBytesMax: number;
}

const keptMs = 24 * 60 * 60 * 1_000;
const kind = "idempotency";

const writes = new Set(["POST", "PUT", "PATCH", "DELETE"]);
/** A POST to one of these only reads, and is simply answered anew. */
const reads = /^\/v3\/documents\/documents$|\/(by-ids|facets|list|profile|search)$/;
/** Their answers hold a secret that is shown once and never kept. */
const secrets = /^\/v3\/(auth|webhooks)(\/|$)/;

/** The client went away before it had said everything, and yet the route acted: whether the next one says the same, nobody can tell. */
const unread = "";

/** @param handle answers every request; a route behind it notices nothing but that it is asked once */
export function answerOnce({ storage, guard, world, bodyBytesMax }: IdempotencyParts): (request: Request, handle: Handle) => Promise<Response> {
	const inFlight = new Set<string>();

	async function first(id: string, asked: string, path: string, { request, digest }: WatchedBody, records: RecordStore, handle: Handle): Promise<Response> {
		inFlight.add(id);
		try {
			const { sent, kept } = await takeAnswer(await handle(request));
			const body = await digest().catch(() => null);
			// It may pass, or the client went away before it had said everything: the same request may be tried again.
			if (sent.status >= 500 || sent.status === 429 || (body === null && sent.status >= 400)) await records.remove(kind, id);
			else await write(records, id, { asked, answered: { body: body ?? unread, answer: secrets.test(path) ? null : kept } }, null);
			return sent;
		} finally {
			inFlight.delete(id);
		}
	}

	async function again(id: string, asked: string, { digest }: WatchedBody, records: RecordStore): Promise<Response> {
		const record = asIdempotencyRecord((await records.get(kind, id, world.now()))?.value);
		// The first has just failed in a way that may pass, and took its record back.
		if (record === null) return refuse(fail("IDEMPOTENCY_IN_FLIGHT"));
		if (record.asked !== asked) return refuse(fail("IDEMPOTENCY_KEY_REUSED"));
		if (record.answered === null) return refuse(fail(inFlight.has(id) ? "IDEMPOTENCY_IN_FLIGHT" : "IDEMPOTENCY_UNKNOWN"));
		if (record.answered.body === unread) return refuse(fail("IDEMPOTENCY_UNKNOWN"));
		if (record.answered.body !== (await digest().catch(() => null))) return refuse(fail("IDEMPOTENCY_KEY_REUSED"));
		const { answer } = record.answered;
		return answer === null ? refuse(fail("IDEMPOTENCY_UNKNOWN")) : repeatAnswer(answer, standardHeaders(world.randomBytes));
	}

	/** @returns whether it was written: with `expected` 0 only one of several requests at once is the first. */
	async function write(records: RecordStore, id: string, value: Parameters<RecordStore["put"]>[2], expected: 0 | null): Promise<boolean> {
		const now = world.now();
		return (await records.put(kind, id, value, { expected, now, expiresAt: new Date(now.getTime() + keptMs) })) !== null;
	}

	function refuse(error: ServiceError): Response {
		const standard = standardHeaders(world.randomBytes);
		const response = errorResponse(error, standard[requestIdHeader] ?? "");
		for (const [name, value] of Object.entries(standard)) response.headers.set(name, value);
		if (error.code !== "IDEMPOTENCY_IN_FLIGHT") return response;
		response.headers.set("x-should-retry", "true");
		response.headers.set("retry-after", "1");
		return response;
	}

	return async (request, handle) => {
		const given = request.headers.get("idempotency-key");
		if (given === null || !writes.has(request.method) || !URL.canParse(request.url)) return handle(request);
		const { pathname, search } = new URL(request.url);
		if (!/^\/v\d+\//.test(pathname) || (request.method === "POST" && reads.test(pathname))) return handle(request);
		const key = await guard.authenticate(request).catch(() => null);
		if (key === null) return handle(request);
		const name = nameIn(given);
		if (name === null) return refuse(fail("INPUT_INVALID", "the Idempotency-Key header should be 1 to 255 visible characters"));
		const { records } = storage.organisation(key.organisation);
		const id = sha256(`${key.id}\n${name}`);
		const asked = sha256(`${request.method}\n${pathname}${search}`);
		const watched = watchBody(request, bodyBytesMax);
		guard.vouch(watched.request, request);
		return (await write(records, id, { asked, answered: null }, 0)) ? first(id, asked, pathname, watched, records, handle) : again(id, asked, watched, records);
	};
}

/** With the quotation marks of the draft, or as most clients send it. */
function nameIn(header: string): string | null {
	const name = /^"(.*)"$/.exec(header.trim())?.[1] ?? header.trim();
	return /^[\x21-\x7e]{1,255}$/.test(name) ? name : null;
}

function sha256(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}
