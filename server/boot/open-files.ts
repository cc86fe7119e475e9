/** How many files and connections the system lets this process hold open at one time. Bun raises the soft limit to the hard one by itself. */

import { fail } from "../../core/errors/fail.ts";

/** An idle server holds 35, under 64 clients 110; each client holds one, each document that is read a few. */
export const openFilesNeeded = 256;

/** @throws ServiceError `OPEN_FILES_LIMITED` */
export function demandOpenFiles(): void {
	const allowed = openFilesAllowed();
	if (allowed < openFilesNeeded) throw fail("OPEN_FILES_LIMITED", allowed, openFilesNeeded);
}

/** Infinite where the system sets no limit, or does not report one. */
function openFilesAllowed(): number {
	const report = process.report?.getReport() as { readonly userLimits?: { readonly open_files?: { readonly soft: unknown } } } | undefined;
	const soft = report?.userLimits?.open_files?.soft;
	return typeof soft === "number" ? soft : Number.POSITIVE_INFINITY;
}
