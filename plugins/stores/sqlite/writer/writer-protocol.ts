/** The messages between the writer thread and the threads that send it writes. */

import type { MessagePort } from "node:worker_threads";
import { asServiceError, type ErrorCode, fail, fileError, ServiceError } from "cairn-memory";

/** What the writer thread is started with. */
export interface WriterData {
	readonly file: string;
}

/** A write, sent over a port by any thread; a message has several. */
export interface Request {
	readonly id: number;
	readonly operation: string;
	readonly args: unknown;
}

export type Answer =
	| { readonly id: number; readonly ok: true; readonly result: unknown }
	| { readonly id: number; readonly ok: false; readonly failure: PostedFailure };

/** A message from the thread that started the writer. `connect` is not answered. */
export type Control =
	| { readonly kind: "connect"; readonly port: MessagePort }
	| { readonly kind: "migrate"; readonly id: number }
	/** The result is whether the write-ahead log is empty now. */
	| { readonly kind: "empty-log"; readonly id: number }
	| { readonly kind: "drop-cache"; readonly id: number }
	| { readonly kind: "close"; readonly id: number };

/** An error in a form that can be posted. */
export interface PostedFailure {
	readonly code: ErrorCode;
	readonly words: readonly (string | number)[];
	/** The stack of the cause, for the log. */
	readonly cause: string | null;
}

export function postFailure(thrown: unknown): PostedFailure {
	const error = asStorageError(thrown);
	const { cause } = error;
	return { code: error.code, words: error.args, cause: cause instanceof Error ? (cause.stack ?? cause.message) : null };
}

export function receiveFailure({ code, words, cause }: PostedFailure): ServiceError {
	return new ServiceError(code, words, cause === null ? undefined : new Error(cause));
}

/** Converts an error of SQLite or the file system to one of ours. */
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
