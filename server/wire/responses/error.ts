/** Converts errors to responses: the HTTP status for each kind of error, and the JSON body. */

import type { ErrorKind } from "../../../core/errors/catalog.ts";
import { asServiceError, type ServiceError } from "../../../core/errors/fail.ts";
import { requestIdHeader } from "./headers.ts";

const statusByKind = {
	invalid: 400,
	unauthorized: 401,
	forbidden: 403,
	missing: 404,
	"not-allowed": 405,
	conflict: 409,
	"too-large": 413,
	unsupported: 415,
	unreadable: 422,
	exhausted: 429,
	// What clients of this API know for a quota that is used up. They do not retry it.
	"over-quota": 402,
	internal: 500,
	unimplemented: 501,
	unavailable: 503,
	timeout: 504,
} as const satisfies Record<ErrorKind, number>;

export interface ErrorBody {
	/** The message. */
	readonly error: string;
	/** The code and, if there is one, the hint. */
	readonly details: string;
	readonly code: string;
	/** The log lines of this request have the same id. */
	readonly requestId: string;
}

/** The response to a failed request. Causes and paths are only logged. */
export function errorResponse(thrown: unknown, requestId: string): Response {
	const error = asServiceError(thrown);
	const headers = new Headers({ "content-type": "application/json;charset=utf-8", [requestIdHeader]: requestId });
	// Without this header the official client would retry such a request twice and get the same response.
	if (error.kind === "conflict" || error.kind === "unimplemented") headers.set("x-should-retry", "false");
	if (error.kind === "exhausted" || error.kind === "unavailable") headers.set("retry-after", String(Math.ceil((error.retryAfterMs ?? 1_000) / 1_000)));
	return new Response(JSON.stringify(errorBody(error, requestId)), { status: statusByKind[error.kind], headers });
}

/** The code, followed by the hint if there is one. */
export function errorDetails({ code, hint }: ServiceError): string {
	return hint === null ? code : `${code}: ${hint}`;
}

export function errorBody(error: ServiceError, requestId: string): ErrorBody {
	return { error: error.message, details: errorDetails(error), code: error.code, requestId };
}

export function statusFor(thrown: unknown): number {
	return statusByKind[asServiceError(thrown).kind];
}
