/** What a file system reports, as an error of ours. */

import { fail, type ServiceError } from "./fail.ts";

/** @param code the system's, such as `ENOSPC`; null for one that says nothing about the place where the data is */
export function fileError(code: string): ServiceError | null {
	if (/^(ENOSPC|EDQUOT)$/.test(code)) return fail("STORAGE_FULL");
	if (/^(EACCES|EPERM|EROFS)$/.test(code)) return fail("STORAGE_READ_ONLY", code);
	if (/^(EIO|ENOTDIR|EISDIR|ENOENT|EEXIST|EFBIG)$/.test(code)) return fail("STORAGE_UNREACHABLE", code);
	return null;
}
