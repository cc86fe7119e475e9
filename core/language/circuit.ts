/**
 * A circuit breaker, which decides whether the language model may be called now. One is used for all documents. After a failure no
 * call is made for a while, longer each time; then a single call tests the provider while the others wait for its result.
 */

import { fail, type ServiceError } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { World } from "../ports/world.ts";
import { retryDelayMs } from "../runtime/backoff.ts";

export interface Circuit {
	/** Must be called before each call of the model. @throws `MODEL_UNAVAILABLE` or `MODEL_REFUSED` while the circuit is open. */
	readonly begin: (requestFingerprint: string) => Call;
}

/** A call of the model in progress. Exactly one of these is called when it ends. */
export interface Call {
	readonly succeeded: () => void;
	/** @returns the error to throw instead of `reason`. */
	readonly failed: (reason: ServiceError) => ServiceError;
	/** The caller was aborted, which says nothing about the provider. */
	readonly abandoned: () => void;
}

/** No call is made for this long after the provider has refused access, so that a wrong key is not tried with every document. */
const refusalPauseMs = 60_000;
/** While a single call tests the provider, the others retry after this long. */
const testPauseMs = 1_000;
/** If a request fails this often while others succeed, the request is the problem and not the provider. */
const failuresPerRequestMax = 3;
/** Requests whose failures are counted. */
const countedRequestsMax = 1_000;

export function createCircuit(name: string, world: World): Circuit {
	let failures = 0;
	let opened = 0;
	let openUntil = Number.NEGATIVE_INFINITY;
	let refusal: ServiceError | null = null;
	let isTesting = false;
	let successes = 0;
	const failuresByRequest = new Map<string, { readonly count: number; readonly successes: number }>();

	function open(forMs: number): number {
		opened++;
		openUntil = world.elapsedMs() + forMs;
		return forMs;
	}

	function refuse(reason: ServiceError): void {
		refusal = reason;
		open(refusalPauseMs);
		world.log("error", "the language model refuses access; documents are processed by rules", { model: name, reason: reason.message, hint: reason.hint });
	}

	/** Adds a random part, so that callers do not all retry at the same moment. */
	const withJitter = (ms: number) => Math.round(ms * (1 + world.random() / 2));

	/** How often this request has failed while others have succeeded. */
	function countFailure(requestFingerprint: string): number {
		const before = failuresByRequest.get(requestFingerprint);
		const count = before === undefined ? 1 : before.count + (successes > before.successes ? 1 : 0);
		failuresByRequest.delete(requestFingerprint);
		failuresByRequest.set(requestFingerprint, { count, successes });
		const [oldest] = failuresByRequest.keys();
		if (failuresByRequest.size > countedRequestsMax && oldest !== undefined) failuresByRequest.delete(oldest);
		return count;
	}

	return {
		begin: (requestFingerprint) => {
			const openForMs = openUntil - world.elapsedMs();
			if (openForMs > 0) throw refusal ?? fail("MODEL_UNAVAILABLE", name, "it failed a moment ago").after(withJitter(openForMs));
			if (failures > 0 && isTesting) throw fail("MODEL_UNAVAILABLE", name, "it failed a moment ago").after(withJitter(testPauseMs));
			const isTest = failures > 0;
			if (isTest) isTesting = true;
			const openedBefore = opened;
			const end = () => {
				if (isTest) isTesting = false;
			};
			return {
				abandoned: end,
				succeeded: () => {
					end();
					successes++;
					failuresByRequest.delete(requestFingerprint);
					// A call that began before the outage says nothing about its end.
					if (openedBefore === opened) failures = 0;
				},
				failed: (reason) => {
					end();
					if (reason.code !== "MODEL_UNAVAILABLE") {
						if (openedBefore !== opened) return reason;
						failures = 0;
						if (reason.code === "MODEL_REFUSED") refuse(reason);
						return reason;
					}
					if (reason.retryAfterMs === null && countFailure(requestFingerprint) >= failuresPerRequestMax)
						return fail("MODEL_DECLINED", name, "it fails at this request again and again").because(reason);
					// Calls that ran at the same time and failed together count as one failure.
					if (openedBefore !== opened) return reason.after(withJitter(Math.max(testPauseMs, openUntil - world.elapsedMs())));
					failures++;
					refusal = null;
					const pauseMs = open(Math.min(Math.max(reason.retryAfterMs ?? 0, retryDelayMs(failures, world.random())), limits.modelPauseMaxMs));
					world.log("warn", "the language model does not respond; documents wait for it", { model: name, reason: reason.message, pauseMs });
					return reason.after(withJitter(pauseMs));
				},
			};
		},
	};
}
