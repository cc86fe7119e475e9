/** `fail("CODE", …args)` creates an expected error. The message of a code determines the number of its arguments. */

import { type ErrorCode, type ErrorKind, entryOf, type MessageArguments, temporaryKinds } from "./catalog.ts";

export class ServiceError extends Error {
	override readonly name = "ServiceError";
	readonly code: ErrorCode;
	readonly kind: ErrorKind;
	readonly hint: string | null;
	/** Arguments for the `%s` of the message. Code and arguments are enough to recreate the error in another process. */
	readonly args: readonly (string | number)[];
	/** The time in milliseconds after which a retry is worthwhile, if known. Such a failure does not count as an attempt, since it is not the document's fault. */
	retryAfterMs: number | null = null;
	/** The pause in milliseconds that the failing service has asked for; 0 if it asked for none. The attempt still counts, so this cannot go on forever. */
	earliestRetryMs = 0;

	constructor(code: ErrorCode, args: readonly (string | number)[], cause?: unknown) {
		const { kind, message, hint } = entryOf(code);
		let next = 0;
		super(
			message.replaceAll("%s", () => String(args[next++] ?? "")),
			cause === undefined ? undefined : { cause },
		);
		this.code = code;
		this.kind = kind;
		this.hint = hint ?? null;
		this.args = args;
	}

	/** Whether the error may pass by itself, so that the same request may succeed later. */
	get mayPass(): boolean {
		return temporaryKinds.has(this.kind);
	}

	/** Sets the error that caused this one. It is for the log only: a client never sees a cause. */
	because(cause: unknown): ServiceError {
		this.cause = cause;
		return this;
	}

	/** Sets the shortest pause before the next attempt, which counts. For a pause without a lost attempt see `after`. */
	notBefore(ms: number): ServiceError {
		this.earliestRetryMs = ms;
		return this;
	}

	/** Sets the pause before a retry that does not count as an attempt. */
	after(ms: number): ServiceError {
		this.retryAfterMs = ms;
		return this;
	}
}

export function fail<Code extends ErrorCode>(code: Code, ...args: MessageArguments<Code>): ServiceError {
	return new ServiceError(code, args);
}

/** Returns a ServiceError unchanged. Any other thrown value becomes `OPEN_FILES_EXHAUSTED` or `INTERNAL`. */
export function asServiceError(thrown: unknown): ServiceError {
	if (thrown instanceof ServiceError) return thrown;
	return new ServiceError(isOutOfFileHandles(thrown) ? "OPEN_FILES_EXHAUSTED" : "INTERNAL", [], thrown);
}

/** Whether the process or the whole system has no free file handle. This is temporary and not the fault of the request. */
function isOutOfFileHandles(thrown: unknown): boolean {
	return thrown instanceof Error && "code" in thrown && (thrown.code === "EMFILE" || thrown.code === "ENFILE");
}
