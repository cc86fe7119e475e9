/** A provider's status → what it means for us: it passes by itself, it takes nothing from us, or it does not take this. */

import { fail, type ServiceError } from "cairn";

/** Trouble that may pass: too much asked, or its own fault. 529 is Anthropic's "overloaded". */
const passes = (status: number): boolean => status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
/** The key, the money, the model or the address is wrong: every question would end so. A redirect leads away from the address that was named. */
const refusesAll = (status: number): boolean => status < 400 || status === 401 || status === 402 || status === 403 || status === 404;
const wordsCharactersMax = 200;

/** It says that it has too much to do: that has nothing to do with the question. */
const isBusy = (status: number): boolean => status === 429 || status === 503 || status === 529;

/** @param words what the provider says, which may quote the question: it goes no further than the log. */
export function refusal(name: string, status: number, words: string, retryAfter: string | null): ServiceError {
	if (passes(status)) {
		const error = fail("MODEL_UNAVAILABLE", name, `it answered with status ${status}`);
		const ms = millisecondsIn(retryAfter) ?? (isBusy(status) ? 0 : null);
		return ms === null ? error : error.after(ms);
	}
	if (refusesAll(status)) return fail("MODEL_REFUSED", name, `it answered with status ${status}: ${short(words)}`);
	return fail("MODEL_DECLINED", name, `it answered with status ${status}`);
}

/** Seconds or a date. */
function millisecondsIn(retryAfter: string | null): number | null {
	if (retryAfter === null || retryAfter.trim() === "") return null;
	const ms = /^\d+(\.\d+)?$/.test(retryAfter.trim()) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
	return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** One line. A key that a provider repeats is not shown again. */
function short(words: string): string {
	const plain = words.replaceAll(/\s+/g, " ").replaceAll(/\b(?:sk|key|AIza)[-_\w*]{6,}/g, "…");
	return plain.length > wordsCharactersMax ? `${plain.slice(0, wordsCharactersMax)}…` : plain;
}
