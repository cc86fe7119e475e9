/** The folders of all packages that a running server imports, and of those that these import, as they are installed in a clone. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

interface Manifest {
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Only the console and the documentation site need them, which are built before. */
const bundled = new Set(["minisearch", "react", "react-dom", "react-aria-components", "rehype-slug", "remark-rehype"]);

export async function neededPackages(root: string): Promise<readonly string[]> {
	const found = new Set<string>();
	const waiting = await importedBy(root, (name) => !bundled.has(name));
	for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
		if (found.has(next)) continue;
		found.add(next);
		waiting.push(...(await importedBy(next)));
	}
	return [...found].sort();
}

async function importedBy(folder: string, isWanted: (name: string) => boolean = () => true): Promise<string[]> {
	const { dependencies = {}, optionalDependencies = {} }: Manifest = await Bun.file(join(folder, "package.json")).json();
	const names = Object.keys({ ...dependencies, ...optionalDependencies }).filter(isWanted);
	return names.flatMap((name) => installed(name, folder) ?? []);
}

/** As Node looks for it: in the folder, and in those above. Null for an optional package of another platform. */
function installed(name: string, from: string): string | null {
	for (let folder = from; ; folder = dirname(folder)) {
		const path = join(folder, "node_modules", name);
		if (existsSync(join(path, "package.json"))) return path;
		if (folder === dirname(folder)) return null;
	}
}
