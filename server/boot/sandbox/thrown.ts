/** Serialises errors of a sandbox child: a ServiceError as code and arguments, anything else as a cause for the log. */

import { isErrorCode } from "../../../core/errors/catalog.ts";
import { fail, ServiceError } from "../../../core/errors/fail.ts";

export type Thrown =
	| { readonly kind: "service"; readonly code: string; readonly args: readonly (string | number)[]; readonly cause: string | null }
	/** The engine's module could not be imported, which is not caused by the file. */
	| { readonly kind: "engine-not-loaded"; readonly cause: string }
	| { readonly kind: "output-too-large" }
	| { readonly kind: "out-of-memory" }
	/** A bug in the engine. */
	| { readonly kind: "fault"; readonly cause: string };

export interface Bounds {
	readonly memoryMb: number;
	readonly outputBytesMax: number;
}

/** Length limit of a cause in the log. */
const causeCharactersMax = 2_000;

export function packThrown(error: unknown): Thrown {
	if (isServiceError(error)) {
		return { kind: "service", code: error.code, args: error.args, cause: error.cause === undefined ? null : describe(error.cause) };
	}
	// JavaScriptCore throws this error when an array or a string does not fit into memory.
	if (error instanceof RangeError && /out of memory/i.test(error.message)) return { kind: "out-of-memory" };
	return { kind: "fault", cause: describe(error) };
}

/**
 * For damaged files an engine throws a `ServiceError`; any other error is a bug in the engine. Its message may contain parts of the
 * file or a path, so it is only logged. The client gets `PROCESS_CRASHED`, because `FILE_BROKEN` would blame the file.
 */
export function unpackThrown(thrown: Thrown, bounds: Bounds): ServiceError {
	if (thrown.kind === "service") {
		const cause = thrown.cause ?? undefined;
		return isErrorCode(thrown.code) ? new ServiceError(thrown.code, thrown.args, cause) : fail("PROCESS_CRASHED").because(`unknown code ${thrown.code}`);
	}
	if (thrown.kind === "engine-not-loaded") return fail("INTERNAL").because(thrown.cause);
	if (thrown.kind === "output-too-large") return outputTooLarge(bounds);
	if (thrown.kind === "out-of-memory") return fail("PROCESS_MEMORY", bounds.memoryMb);
	return fail("PROCESS_CRASHED").because(thrown.cause);
}

export function outputTooLarge({ outputBytesMax }: Bounds): ServiceError {
	return fail("OUTPUT_TOO_LARGE", outputBytesMax < 2 ** 20 ? `${outputBytesMax} bytes` : `${Math.floor(outputBytesMax / 2 ** 20)} MB`);
}

/** Checks members and not the class, because an engine may have its own copy of `cairn-memory`. */
function isServiceError(error: unknown): error is ServiceError {
	return error instanceof Error && error.name === "ServiceError" && "code" in error && "args" in error && Array.isArray(error.args);
}

export function describe(error: unknown): string {
	const text = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
	return text.slice(0, causeCharactersMax);
}
