/** What crosses between the writer thread and those that send it writes. */

import type { MessagePort } from "node:worker_threads";
import { asServiceError, type ErrorCode, fail, fileError, ServiceError } from "cairn-memory";

/** How the writer is started. */
export interface WriterData {
	readonly file: string;
}

/** Over a port that was handed to the writer, several in a message: any thread may hold the other end. */
export interface Request {
	readonly id: number;
	readonly operation: string;
	readonly args: unknown;
}

export type Answer =
	| { readonly id: number; readonly ok: true; readonly result: unknown }
	| { readonly id: number; readonly ok: false; readonly failure: PostedFailure };

/** Over the writer's own channel, from the thread that started it. `connect` is not answered. */
export type Control =
	| { readonly kind: "connect"; readonly port: MessagePort }
	| { readonly kind: "migrate"; readonly id: number }
	/** Answers whether the log of writes is empty now. */
	| { readonly kind: "empty-log"; readonly id: number }
	| { readonly kind: "close"; readonly id: number };

/** An error in a form that can be posted. */
export interface PostedFailure {
	readonly code: ErrorCode;
	readonly words: readonly (string | number)[];
	/** For the log. */
	readonly cause: string | null;
}

export function postFailure(thrown: unknown): PostedFailure {
	const error = asStorageError(thrown);
	const { cause } = error;
	return { code: error.code, words: error.words, cause: cause instanceof Error ? (cause.stack ?? cause.message) : null };
}

export function receiveFailure({ code, words, cause }: PostedFailure): ServiceError {
	return new ServiceError(code, words, cause === null ? undefined : new Error(cause));
}

/** What SQLite and the file system report, as an error of ours. */
export function asStorageError(thrown: unknown): ServiceError {
	if (thrown instanceof ServiceError) return thrown;
	const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
	const error = errorOf(code, thrown instanceof Error ? thrown.message : "");
	return error === null ? asServiceError(thrown) : error.because(thrown);
}

function errorOf(code: string, message: string): ServiceError | null {
	if (code === "SQLITE_FULL") return fail("STORAGE_FULL");
	if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return fail("STORAGE_DAMAGED", `${message} (${code})`);
	if (/^SQLITE_(READONLY|PERM)/.test(code)) return fail("STORAGE_READ_ONLY", code);
	if (/^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|PROTOCOL)/.test(code)) return fail("STORAGE_UNREACHABLE", code);
	return fileError(code);
}
