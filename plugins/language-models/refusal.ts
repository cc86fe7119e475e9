/** Maps a provider's HTTP status to an error: a temporary failure, a refusal of all requests, or a refusal of this one. */

import { askedPauseMs, fail, refusalWords, type ServiceError } from "cairn-memory";

/** Temporary failures: too many requests, or an error of the server. 529 is Anthropic's "overloaded". */
const isTemporary = (status: number): boolean => status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
/**
 * The key, the credit, the model or the URL is wrong, so that every request would fail. Redirects are among them, because they lead to a
 * host that was not configured.
 */
const refusesAll = (status: number): boolean => status < 400 || status === 401 || status === 402 || status === 403 || status === 404;

/** The provider is overloaded; the question is not the reason. */
const isBusy = (status: number): boolean => status === 429 || status === 503 || status === 529;

/** @param message of the provider, without secrets (`library-fetch.ts`). It may quote the question, so it is only logged. */
export function refusal(name: string, status: number, message: string, retryAfter: string | null): ServiceError {
	if (isTemporary(status)) {
		const error = fail("MODEL_UNAVAILABLE", name, `it answered with status ${status}`);
		const ms = askedPauseMs(retryAfter, new Date()) ?? (isBusy(status) ? 0 : null);
		return ms === null ? error : error.after(ms);
	}
	if (refusesAll(status)) return fail("MODEL_REFUSED", name, `it answered with status ${status}: ${refusalWords(message)}`);
	return fail("MODEL_DECLINED", name, `it answered with status ${status}`);
}
