/** Imports an export file into a store. The whole file is checked first. */

import { fail } from "../../core/errors/fail.ts";
import { type CheckedExport, checkExport, parseBodyLine, typeOf } from "./check-export.ts";
import { type ImportResult, type ImportTarget, importLines } from "./import-lines.ts";
import { readLines } from "./line-file.ts";
import type { BodyLine } from "./lines.ts";

export interface ImportProgress {
	readonly onChecked: (endOffset: number) => void;
	readonly onImported: (endOffset: number) => void;
}

/** @param open opens the store; called after the file has been checked. @throws ServiceError `EXPORT_INVALID` */
export async function importFile(
	path: string,
	open: () => Promise<ImportTarget>,
	onProgress: ImportProgress,
): Promise<ImportResult & Pick<CheckedExport, "createdAt">> {
	const { createdAt } = await checkExport(path, onProgress.onChecked);
	const target = await open();
	try {
		return { ...(await importLines(bodyLines(path, onProgress.onImported), target)), createdAt };
	} catch (thrown) {
		throw isDuplicateId(thrown) ? fail("EXPORT_INVALID", "an id occurs twice in it, or belongs to something else in this data folder").because(thrown) : thrown;
	}
}

async function* bodyLines(path: string, onProgress: (endOffset: number) => void): AsyncGenerator<BodyLine> {
	for await (const { value, number, endOffset } of readLines(path)) {
		onProgress(endOffset);
		if (number > 1 && typeOf(value) !== "end") yield parseBodyLine(value, number);
	}
}

/** Whether the error, or one of its causes, is the database's error for a second row with the same id: SQLite's by its words, PostgreSQL's by its SQLSTATE. */
export function isDuplicateId(thrown: unknown): boolean {
	if (!(thrown instanceof Error)) return false;
	const isPostgres = "code" in thrown && thrown.code === "23505";
	return isPostgres || /UNIQUE constraint/.test(thrown.message) || isDuplicateId(thrown.cause);
}
