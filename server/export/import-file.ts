/** One file of lines → a store: looked through as a whole first, then brought in. */

import { fail } from "../../core/errors/fail.ts";
import { bodyLineOf, type Checked, checkExport, typeOf } from "./check-export.ts";
import { type Imported, importLines, type Target } from "./import-lines.ts";
import { readLines } from "./line-file.ts";
import type { BodyLine } from "./lines.ts";

export interface ImportProgress {
	readonly checked: (readTo: number) => void;
	readonly imported: (readTo: number) => void;
}

/** @param open is called when the file is found to be whole. @throws ServiceError `EXPORT_INVALID` */
export async function importFile(path: string, open: () => Promise<Target>, tell: ImportProgress): Promise<Imported & Pick<Checked, "createdAt">> {
	const { createdAt } = await checkExport(path, tell.checked);
	const target = await open();
	try {
		return { ...(await importLines(bodyLines(path, tell.imported), target)), createdAt };
	} catch (thrown) {
		throw isTwice(thrown) ? fail("EXPORT_INVALID", "an id is in it twice, or belongs to something else here").because(thrown) : thrown;
	}
}

async function* bodyLines(path: string, tell: (readTo: number) => void): AsyncGenerator<BodyLine> {
	for await (const { value, number, readTo } of readLines(path)) {
		tell(readTo);
		if (number > 1 && typeOf(value) !== "end") yield bodyLineOf(value, number);
	}
}

/** What a store says of a second row under one id reaches us as a cause. */
function isTwice(thrown: unknown): boolean {
	return thrown instanceof Error && (/UNIQUE constraint/.test(thrown.message) || isTwice(thrown.cause));
}
