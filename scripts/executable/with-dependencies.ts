/** The folders of packages and of all packages that these import, as they are installed in a clone. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

interface Manifest {
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export async function withDependencies(root: string, names: readonly string[]): Promise<readonly string[]> {
	const found = new Set<string>();
	const waiting = names.flatMap((name) => installed(name, root) ?? []);
	for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
		if (found.has(next)) continue;
		found.add(next);
		waiting.push(...(await dependenciesOf(next)));
	}
	return [...found].sort();
}

async function dependenciesOf(folder: string): Promise<string[]> {
	const { dependencies = {}, optionalDependencies = {} }: Manifest = await Bun.file(join(folder, "package.json")).json();
	return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => installed(name, folder) ?? []);
}

/** As Node looks for it: in the folder, and in those above. Null for an optional package of another platform. */
function installed(name: string, from: string): string | null {
	for (let folder = from; ; folder = dirname(folder)) {
		const path = join(folder, "node_modules", name);
		if (existsSync(join(path, "package.json"))) return path;
		if (folder === dirname(folder)) return null;
	}
}
