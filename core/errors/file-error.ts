/** Converts an error code of the file system to a ServiceError. */

import { fail, type ServiceError } from "./fail.ts";

/** @param code such as `ENOSPC`. @returns null for a code that says nothing about the state of the storage */
export function fileError(code: string): ServiceError | null {
	if (/^(ENOSPC|EDQUOT)$/.test(code)) return fail("STORAGE_FULL");
	if (/^(EACCES|EPERM|EROFS)$/.test(code)) return fail("STORAGE_READ_ONLY", code);
	if (/^(EIO|ENOTDIR|EISDIR|ENOENT|EEXIST|EFBIG)$/.test(code)) return fail("STORAGE_UNREACHABLE", code);
	return null;
}
