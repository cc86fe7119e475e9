/** `fail("CODE", …words)` creates an expected error. The catalog determines the number of arguments for each code. */

import { type ErrorCode, type ErrorKind, entryOf, passingKinds, type Words } from "./catalog.ts";

export class ServiceError extends Error {
	override readonly name = "ServiceError";
	readonly code: ErrorCode;
	readonly kind: ErrorKind;
	readonly hint: string | null;
	/** Arguments for the `%s` of the message. Code and arguments are enough to recreate the error in another process. */
	readonly words: readonly (string | number)[];
	/** The time after which a retry is worthwhile, if known. Such a failure does not count as an attempt, since it is not the document's fault. */
	retryAfterMs: number | null = null;
	/** How long the service that refused wants to be left alone, if it said so. The failed try still counts, so this cannot go on for ever. */
	earliestRetryMs = 0;

	constructor(code: ErrorCode, words: readonly (string | number)[], cause?: unknown) {
		const { kind, words: text, hint } = entryOf(code);
		let next = 0;
		super(
			text.replaceAll("%s", () => String(words[next++] ?? "")),
			cause === undefined ? undefined : { cause },
		);
		this.code = code;
		this.kind = kind;
		this.hint = hint ?? null;
		this.words = words;
	}

	/** Whether the same request may succeed later. */
	get mayPass(): boolean {
		return passingKinds.has(this.kind);
	}

	/** The same error with the error that led to it. For the log only: a client never sees a cause. */
	because(cause: unknown): ServiceError {
		this.cause = cause;
		return this;
	}

	/** The same error, to be tried again no sooner than after so long. */
	notBefore(ms: number): ServiceError {
		this.earliestRetryMs = ms;
		return this;
	}

	/** The same error, to be retried after so long without counting as an attempt. */
	after(ms: number): ServiceError {
		this.retryAfterMs = ms;
		return this;
	}
}

export function fail<Code extends ErrorCode>(code: Code, ...words: Words<Code>): ServiceError {
	return new ServiceError(code, words);
}

/** The thrown value as a ServiceError; anything else becomes `INTERNAL`. */
export function asServiceError(thrown: unknown): ServiceError {
	if (thrown instanceof ServiceError) return thrown;
	return new ServiceError(lacksHandles(thrown) ? "OPEN_FILES_EXHAUSTED" : "INTERNAL", [], thrown);
}

/** The process or the whole system is out of file handles. It is no fault of the request, and it passes. */
function lacksHandles(thrown: unknown): boolean {
	return thrown instanceof Error && "code" in thrown && (thrown.code === "EMFILE" || thrown.code === "ENFILE");
}
