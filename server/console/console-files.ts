/** The files of the web console by name: from the package, or bundled on first use in a clone. */

import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { fail } from "../../core/errors/fail.ts";

export interface ConsoleFile {
	readonly mediaType: string;
	readonly plain: Uint8Array<ArrayBuffer>;
	readonly gzipped: Uint8Array<ArrayBuffer>;
}

export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const sources = resolve(import.meta.dir, "../../console");
const packaged = join(sources, "built");
const bundler = resolve(import.meta.dir, "bundle-console.ts");
const mediaTypes: Readonly<Record<string, string>> = { ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8" };

/** Sources are preferred: a bundle beside them was made for a package and may be outdated. */
export function loadConsole(): Promise<ConsoleFiles> {
	return existsSync(join(sources, "main.tsx")) ? bundled() : readFiles(packaged);
}

/** Bundles in a separate process, so that this one does not keep the bundler's memory. */
async function bundled(): Promise<ConsoleFiles> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-console-"));
	try {
		const child = Bun.spawn([process.execPath, "--no-install", bundler, folder], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
		const [complaints, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
		if (code !== 0) throw fail("INTERNAL").because(new Error(`the console could not be bundled: ${complaints}`));
		return await readFiles(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function readFiles(folder: string): Promise<ConsoleFiles> {
	const names = (await readdir(folder)).filter((name) => mediaTypes[extname(name)] !== undefined);
	const files = names.map(async (name): Promise<readonly [string, ConsoleFile]> => {
		const plain = await Bun.file(join(folder, name)).bytes();
		return [name, { mediaType: mediaTypes[extname(name)] ?? "", plain, gzipped: Bun.gzipSync(plain, { level: 9 }) }];
	});
	return new Map(await Promise.all(files));
}
