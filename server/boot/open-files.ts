/** Checks the system's limit of open files and connections for this process. Bun raises the soft limit to the hard one. */

import { fail } from "../../core/errors/fail.ts";

/** An idle server has 35 open files, and one with 64 clients has 110: one for each client, and a few for each document being read. */
export const openFilesNeeded = 256;

/** @throws ServiceError `OPEN_FILES_LIMITED` */
export function demandOpenFiles(): void {
	const allowed = openFilesAllowed();
	if (allowed < openFilesNeeded) throw fail("OPEN_FILES_LIMITED", allowed, openFilesNeeded);
}

/** Infinite if the system has no limit, or does not report one. */
function openFilesAllowed(): number {
	const report = process.report?.getReport() as { readonly userLimits?: { readonly open_files?: { readonly soft: unknown } } } | undefined;
	const soft = report?.userLimits?.open_files?.soft;
	return typeof soft === "number" ? soft : Number.POSITIVE_INFINITY;
}
