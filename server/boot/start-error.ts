/** Converts an exception of a command or of the start to an error with a hint for the user; null if it is a bug in the program. */

import { catalog, type ErrorCode } from "../../core/errors/catalog.ts";
import { fail, ServiceError } from "../../core/errors/fail.ts";

export function asStartError(thrown: unknown): ServiceError | null {
	// A failure while stopping comes after the failure that caused the stop; the latter is the reason.
	if (thrown instanceof SuppressedError) return asStartError(thrown.suppressed);
	if (thrown instanceof ServiceError) return thrown;
	return fromThread(thrown) ?? fromFileSystem(thrown);
}

/** Restores a ServiceError from another thread, which loses its class on the way. */
function fromThread(thrown: unknown): ServiceError | null {
	if (!(thrown instanceof Error && "code" in thrown && "args" in thrown && Array.isArray(thrown.args))) return null;
	return Object.hasOwn(catalog, String(thrown.code)) ? new ServiceError(thrown.code as ErrorCode, thrown.args, thrown) : null;
}

/** Converts errors of the file system. The system's message contains the path. */
function fromFileSystem(thrown: unknown): ServiceError | null {
	if (!(thrown instanceof Error && "code" in thrown)) return null;
	if (/^(ENOSPC|EDQUOT)$/.test(String(thrown.code))) return fail("STORAGE_FULL").because(thrown);
	if (/^(EACCES|EPERM|EROFS)$/.test(String(thrown.code))) return fail("STORAGE_READ_ONLY", thrown.message).because(thrown);
	if (/^(EMFILE|ENFILE)$/.test(String(thrown.code))) return fail("OPEN_FILES_EXHAUSTED").because(thrown);
	return /^(EIO|EISDIR|ENOTDIR|EFBIG)$/.test(String(thrown.code)) ? fail("STORAGE_UNREACHABLE", thrown.message).because(thrown) : null;
}
