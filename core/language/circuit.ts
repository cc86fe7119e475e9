/**
 * A circuit breaker: whether the provider may be asked now. There is one for all documents. After a failure no call is made
 * for a while, longer each time; then a single call tests the provider while the others wait for its result.
 */

import { fail, type ServiceError } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { World } from "../ports/world.ts";
import { retryDelayMs } from "../runtime/backoff.ts";

export interface Circuit {
	/** @throws `MODEL_UNAVAILABLE` or `MODEL_REFUSED` while it is open. */
	readonly begin: (questionFingerprint: string) => Call;
}

/** Each call ends in one of these. */
export interface Call {
	readonly succeeded: () => void;
	/** @returns the error for the document. */
	readonly failed: (reason: ServiceError) => ServiceError;
	/** Stopped by us, so it says nothing about the provider. */
	readonly abandoned: () => void;
}

/** A provider that refuses us altogether is not asked for this long: a wrong key is not tried with every document. */
const refusedForMs = 60_000;
/** While one is trying, the others check back this often. */
const lookAgainMs = 1_000;
/** A question that fails this often while others are answered is the problem itself. */
const strikesMax = 3;
const strikesKeptMax = 1_000;

export function createCircuit(name: string, world: World): Circuit {
	let failures = 0;
	let opened = 0;
	let openUntil = Number.NEGATIVE_INFINITY;
	let refusal: ServiceError | null = null;
	let isTrying = false;
	let successes = 0;
	const strikes = new Map<string, { readonly count: number; readonly successes: number }>();

	function open(forMs: number): number {
		opened++;
		openUntil = world.elapsedMs() + forMs;
		return forMs;
	}

	function refuse(reason: ServiceError): void {
		refusal = reason;
		open(refusedForMs);
		world.log("error", "the language model refuses us; documents are read by rules", { model: name, reason: reason.message, hint: reason.hint });
	}

	/** Random, so that callers do not all return at the same moment. */
	const spread = (ms: number) => Math.round(ms * (1 + world.random() / 2));

	/** How often this question has failed with answers to others in between. */
	function strike(questionFingerprint: string): number {
		const before = strikes.get(questionFingerprint);
		const count = before === undefined ? 1 : before.count + (successes > before.successes ? 1 : 0);
		strikes.delete(questionFingerprint);
		strikes.set(questionFingerprint, { count, successes });
		const [oldest] = strikes.keys();
		if (strikes.size > strikesKeptMax && oldest !== undefined) strikes.delete(oldest);
		return count;
	}

	return {
		begin: (questionFingerprint) => {
			const leftMs = openUntil - world.elapsedMs();
			if (leftMs > 0) throw refusal ?? fail("MODEL_UNAVAILABLE", name, "it failed a moment ago").after(spread(leftMs));
			if (failures > 0 && isTrying) throw fail("MODEL_UNAVAILABLE", name, "it failed a moment ago").after(spread(lookAgainMs));
			const isTry = failures > 0;
			if (isTry) isTrying = true;
			const era = opened;
			const end = () => {
				if (isTry) isTrying = false;
			};
			return {
				abandoned: end,
				succeeded: () => {
					end();
					successes++;
					strikes.delete(questionFingerprint);
					// A call that began before the outage says nothing about its end.
					if (era === opened) failures = 0;
				},
				failed: (reason) => {
					end();
					if (reason.code !== "MODEL_UNAVAILABLE") {
						if (era !== opened) return reason;
						failures = 0;
						if (reason.code === "MODEL_REFUSED") refuse(reason);
						return reason;
					}
					if (reason.retryAfterMs === null && strike(questionFingerprint) >= strikesMax)
						return fail("MODEL_DECLINED", name, "it fails at this piece again and again").because(reason);
					// Calls that ran at the same time and failed together count as one failure.
					if (era !== opened) return reason.after(spread(Math.max(lookAgainMs, openUntil - world.elapsedMs())));
					failures++;
					refusal = null;
					const pauseMs = open(Math.min(Math.max(reason.retryAfterMs ?? 0, retryDelayMs(failures, world.random())), limits.modelPauseMaxMs));
					world.log("warn", "the language model does not answer; documents wait for it", { model: name, reason: reason.message, pauseMs });
					return reason.after(spread(pauseMs));
				},
			};
		},
	};
}
