/** Reads Notion's unpacked export as Markdown and CSV. File names contain the id of the page or table, so pages are recognised after they were moved. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import { toCustomId } from "./convert-values.ts";
import type { FileItem, ItemReader } from "./item.ts";

/** The id at the end of the name of a page, a table or a folder. */
const pageId = / ?([0-9a-f]{32})(?=_all\.csv$|\.(?:md|csv)$|$)/;

export const notion: ItemReader = async (path) => {
	if (!(await stat(path)).isDirectory()) throw fail("IMPORT_UNKNOWN", path, "unpack it first, then import the folder");
	const names = new Set<string>();
	for await (const name of new Bun.Glob("**/*.{md,csv}").scan({ cwd: path, onlyFiles: true })) if (pageId.test(name)) names.add(name);
	// A table may have two files: the rows that its page shows, and all rows. Then only the second one is imported.
	const fileNames = [...names].filter((name) => !name.endsWith(".csv") || name.endsWith("_all.csv") || !names.has(name.replace(/\.csv$/, "_all.csv")));
	if (fileNames.length === 0) throw fail("IMPORT_UNKNOWN", path, "it contains no file with a page id in its name");
	return fileNames.toSorted().map((name) => pageOf(join(path, name), name));
};

function pageOf(path: string, name: string): FileItem {
	const id = pageId.exec(name)?.[1] ?? name;
	const pathParts = name
		.split(/[/\\]/)
		.map((part) => part.replace(pageId, "").replace(/_all\.csv$/, ".csv"))
		.filter((part) => part !== "");
	return { kind: "file", name: toCustomId("notion", id), path, filepath: `/${pathParts.join("/")}`, metadata: { source: "notion" } };
}
