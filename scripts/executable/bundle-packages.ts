/**
 * Packages of thousands of small files as a few large ones, because creating files is what the first start of an executable spends most
 * of its time on. Each path that the program imports becomes one file of the same name, and what several of them share stays one module.
 */

import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Glob } from "bun";
import type { ImportedPaths } from "./own-imports.ts";

interface Entry {
	/** As the program imports it. */
	readonly path: string;
	/** Of its file in `node_modules`. */
	readonly name: string;
	readonly exported: readonly string[];
}

/**
 * @param folder gets `node_modules` and the licences of all that is in it
 * @throws if a path exports something else than before
 */
export async function bundlePackages(root: string, imports: ImportedPaths, folder: string): Promise<void> {
	const modules = join(folder, "node_modules");
	const entries = await Promise.all([...imports.values()].flatMap((paths) => [...paths]).map((path) => entryOf(root, path)));
	const sources = join(folder, "entries");
	const inputs = await bundle(root, entries, sources, modules);
	await rm(sources, { recursive: true });
	for (const [name, paths] of imports) await Bun.write(join(modules, name, "package.json"), manifest(name, [...paths]));
	await Bun.write(join(folder, "THIRD-PARTY-LICENSES.txt"), await licences(inputs));
	for (const { path, name, exported } of entries)
		if (!Bun.deepEquals(await exportsOf(join(modules, name)), exported)) throw new Error(`${path} does not export the same once it is bundled`);
}

async function entryOf(root: string, path: string): Promise<Entry> {
	return { path, name: fileOf(path), exported: await exportsOf(Bun.resolveSync(path, root)) };
}

/** `@scope/pack` is `@scope/pack/index.js`, and `pack/some/part.js` and `pack/some/part` are `pack/some/part.js`. */
function fileOf(path: string): string {
	return /^(?:@[^/]+\/)?[^/]+$/.test(path) ? `${path}/index.js` : `${path.replace(/\.js$/, "")}.js`;
}

async function exportsOf(file: string): Promise<string[]> {
	return Object.keys(await import(file)).sort();
}

/** @returns the files that are in the bundle */
async function bundle(root: string, entries: readonly Entry[], sources: string, outdir: string): Promise<string[]> {
	for (const { path, name, exported } of entries) await Bun.write(join(sources, name), entrySource(Bun.resolveSync(path, root), exported));
	const { success, logs, metafile } = await Bun.build({
		entrypoints: entries.map(({ name }) => join(sources, name)),
		root: sources,
		outdir,
		target: "bun",
		splitting: true,
		minify: { whitespace: true },
		metafile: true,
		naming: { entry: "[dir]/[name].[ext]", chunk: ".shared/[hash].[ext]" },
	});
	if (!success) throw new AggregateError(logs, "the packages could not be bundled");
	return Object.keys(metafile?.inputs ?? {}).map((name) => join(process.cwd(), name));
}

/** Each export by its name, since those of a CommonJS module cannot be seen once it is bundled. */
function entrySource(file: string, exported: readonly string[]): string {
	return `export { ${exported.join(", ")} } from ${JSON.stringify(file)};\n`;
}

function manifest(name: string, paths: readonly string[]): string {
	const exported = paths.map((path) => [`.${path.slice(name.length)}`, `./${fileOf(path).slice(name.length + 1)}`] as const);
	return JSON.stringify({ name, type: "module", exports: Object.fromEntries(exported) });
}

/** The licences of all packages that some of these files are from, as their authors want them to be handed on. */
async function licences(files: readonly string[]): Promise<string> {
	const texts = new Map<string, string>();
	for (const folder of new Set(files.flatMap((file) => packageFolder(file) ?? []))) {
		const { name, version, license } = await Bun.file(join(folder, "package.json")).json();
		const parts: string[] = [];
		for await (const file of new Glob("{LICEN[CS]E,licen[cs]e,NOTICE,COPYING}*").scan(folder)) parts.push(await Bun.file(join(folder, file)).text());
		texts.set(`${name} ${version} (${license ?? "see below"})`, parts.join("\n"));
	}
	return [...texts]
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([title, text]) => `${title}\n${"=".repeat(title.length)}\n\n${text}\n`)
		.join("\n");
}

/** The innermost folder of a package that has a name; some have unnamed ones inside, which only say a format. */
function packageFolder(file: string): string | null {
	const name = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
	return name !== undefined && existsSync(join(name, "package.json")) ? name : null;
}
