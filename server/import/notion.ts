/** Notion's export as Markdown and CSV, unpacked: every page and table has its id in its name, by which it is known wherever it is moved. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import type { FileDocument, Source } from "./item.ts";
import { nameOf } from "./plain.ts";

/** Behind the name of a page, a table or a folder. */
const pageId = / ?([0-9a-f]{32})(?=_all\.csv$|\.(?:md|csv)$|$)/;

export const notion: Source = async (path) => {
	if (!(await stat(path)).isDirectory()) throw fail("IMPORT_UNKNOWN", path, "unpack it first, and name the folder");
	const names = new Set<string>();
	for await (const name of new Bun.Glob("**/*.{md,csv}").scan({ cwd: path, onlyFiles: true })) if (pageId.test(name)) names.add(name);
	// Of a table there may be two: what the page shows, and all rows.
	const kept = [...names].filter((name) => !name.endsWith(".csv") || name.endsWith("_all.csv") || !names.has(name.replace(/\.csv$/, "_all.csv")));
	if (kept.length === 0) throw fail("IMPORT_UNKNOWN", path, "there is no file with a page's id in its name");
	return kept.toSorted().map((name) => pageOf(join(path, name), name));
};

function pageOf(path: string, name: string): FileDocument {
	const id = pageId.exec(name)?.[1] ?? name;
	const shown = name
		.split(/[/\\]/)
		.map((part) => part.replace(pageId, "").replace(/_all\.csv$/, ".csv"))
		.filter((part) => part !== "");
	return { kind: "file", name: nameOf("notion", id), path, filepath: `/${shown.join("/")}`, metadata: { source: "notion" } };
}
