/** The repository as text, for the tests that hold it to its own rules. */

import { posix } from "node:path";
import { rootFolder } from "../../scripts/checks.ts";

export interface SourceFile {
	/** From the root, with forward slashes. */
	readonly path: string;
	readonly text: string;
}

/** Folders that hold our own code. Fixtures and example documents are material, not source. */
const sourceFolders = ["bench", "console", "core", "examples", "models", "plugins", "scripts", "server", "test"];
const material = /^(examples\/documents|test\/fixtures|test\/contract\/samples|test\/clients\/recorded|console\/built)\/|\/node_modules\//;

export function textOf(path: string): Promise<string> {
	return Bun.file(`${rootFolder}${path}`).text();
}

/** Every file below the source folders, sorted. */
export async function sourcePaths(endings: readonly string[]): Promise<readonly string[]> {
	const found: string[] = [];
	for (const folder of sourceFolders) {
		for await (const path of new Bun.Glob(`${folder}/**/*`).scan({ cwd: rootFolder })) found.push(path.replaceAll("\\", "/"));
	}
	return found.filter((path) => endings.some((ending) => path.endsWith(`.${ending}`)) && !material.test(path)).toSorted();
}

export async function sourceFiles(): Promise<readonly SourceFile[]> {
	const paths = await sourcePaths(["ts", "tsx", "mjs"]);
	return Promise.all(paths.map(async (path) => ({ path, text: await textOf(path) })));
}

const statement = /^\s*(?:import|export)\b[^;'"`]*?\bfrom\s*["']([^"']+)["']/gm;
const forEffect = /^\s*import\s*["']([^"']+)["']/gm;
const call = /(?<![.\w])(?:import|import\.meta\.resolve|require)\s*\(\s*["']([^"']+)["']/g;
/** An engine or a worker is named by its address. */
const address = /\bnew URL\(\s*["'](\.{1,2}\/[^"']*)["']\s*,\s*import\.meta\.url/g;

/**
 * Everything a file asks for. Bun's own scanner leaves out `import type`, and the TypeScript of this repository offers no
 * parser to programs, so the statements are found by their form; they begin a line, which tells them from comments.
 */
export function importsOf(text: string): readonly string[] {
	const found = [statement, forEffect, call, address].flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ""));
	return [...new Set(found)];
}

/** `../model/id.ts` asked for in `core/ports/world.ts` → `core/model/id.ts`; null for what is not a path. */
export function resolveImport(from: string, specifier: string): string | null {
	return specifier.startsWith(".") ? posix.join(posix.dirname(from), specifier) : null;
}

/** `@scope/name/deep/file.js` → `@scope/name`. */
export function packageOf(specifier: string): string {
	return specifier
		.split("/")
		.slice(0, specifier.startsWith("@") ? 2 : 1)
		.join("/");
}

/** The door of a plugin: the file whose default export is its factory. */
export function isPluginDoor({ path, text }: SourceFile): boolean {
	return /^plugins\/[^/]+\/([^/]+\.ts|[^/]+\/index\.ts)$/.test(path) && /^export default (?:definePlugin|sandboxedExtractors)\(/m.test(text);
}

/** `plugins/extractors/csv/index.ts` and `plugins/extractors/csv.ts` → `extractors/csv`. */
export function pluginName(path: string): string {
	return path.replace(/^plugins\//, "").replace(/(\/index)?\.ts$/, "");
}
