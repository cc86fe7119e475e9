/** Maps a provider's status to an error: transient, a refusal of all requests, or a refusal of this one. */

import { askedPauseMs, fail, refusalWords, type ServiceError } from "cairn-memory";

/** Trouble that may pass: too much asked, or its own fault. 529 is Anthropic's "overloaded". */
const passes = (status: number): boolean => status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
/** The key, the money, the model or the address is wrong: every question would end so. A redirect leads away from the address that was named. */
const refusesAll = (status: number): boolean => status < 400 || status === 401 || status === 402 || status === 403 || status === 404;

/** The provider is overloaded, which is independent of the question. */
const isBusy = (status: number): boolean => status === 429 || status === 503 || status === 529;

/** @param words what the provider says, which may quote the question, and has lost the key in `library-fetch.ts`: it goes no further than the log. */
export function refusal(name: string, status: number, words: string, retryAfter: string | null): ServiceError {
	if (passes(status)) {
		const error = fail("MODEL_UNAVAILABLE", name, `it answered with status ${status}`);
		const ms = askedPauseMs(retryAfter, new Date()) ?? (isBusy(status) ? 0 : null);
		return ms === null ? error : error.after(ms);
	}
	if (refusesAll(status)) return fail("MODEL_REFUSED", name, `it answered with status ${status}: ${refusalWords(words)}`);
	return fail("MODEL_DECLINED", name, `it answered with status ${status}`);
}
