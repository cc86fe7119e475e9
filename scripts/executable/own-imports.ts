/** What the sources of the program import from packages, found by Bun's own parser, so that types alone do not count. */

import { join } from "node:path";

/** Of each package the imported paths: `drizzle-orm` has `drizzle-orm/table` and others. */
export type ImportedPaths = Map<string, Set<string>>;

/** @param names of the program's files, relative to `root`; those that are no TypeScript are passed over */
export async function ownImports(root: string, names: Iterable<string>): Promise<ImportedPaths> {
	const transpiler = new Bun.Transpiler({ loader: "ts" });
	const found = new Map<string, Set<string>>();
	for (const name of names) {
		if (!/(?<!\.d)\.ts$/.test(name)) continue;
		const source = (await Bun.file(join(root, name)).text()).replace(/^#!.*/, "");
		for (const { path } of transpiler.scanImports(source)) {
			if (/^(?:\.|node:|bun(?::|$))/.test(path)) continue;
			const packageName = nameOfPackage(path);
			found.set(packageName, (found.get(packageName) ?? new Set()).add(path));
		}
	}
	return found;
}

function nameOfPackage(path: string): string {
	return path
		.split("/")
		.slice(0, path.startsWith("@") ? 2 : 1)
		.join("/");
}
