/** The files that browsers load, by name. They come from the npm package; in a clone of the repository they are built on first use. */

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fail } from "../../core/errors/fail.ts";

export interface BuiltFile {
	readonly mediaType: string;
	readonly content: Uint8Array<ArrayBuffer>;
	readonly gzipped: Uint8Array<ArrayBuffer>;
}

export type BuiltFiles = ReadonlyMap<string, BuiltFile>;

export interface BuildOptions {
	/** The path of a script that writes the files into the folder that is its argument. */
	readonly builder: string;
	/** The main source file. If it exists, the files are built from it: packaged files beside it may be outdated. */
	readonly source: string;
	/** The folder of the packaged files. */
	readonly packagedFolder: string;
	/** A glob pattern of the files to serve from the folder. */
	readonly pattern: string;
}

const mediaTypes: Readonly<Record<string, string>> = {
	".css": "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".json": "application/json; charset=utf-8",
};

export function loadBuilt(options: BuildOptions): Promise<BuiltFiles> {
	return existsSync(options.source) ? buildFiles(options) : readFiles(options.packagedFolder, options.pattern);
}

/** Calls `load` once and returns the same files to every caller. After a failure the next call tries again. */
export function loadOnce(load: () => Promise<BuiltFiles>): () => Promise<BuiltFiles> {
	let loading: Promise<BuiltFiles> | null = null;
	return () => {
		loading ??= load().catch((thrown: unknown) => {
			loading = null;
			throw thrown;
		});
		return loading;
	};
}

/** Builds the files in a child process, so that this process does not keep the memory that the build needs. */
async function buildFiles({ builder, pattern }: BuildOptions): Promise<BuiltFiles> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-built-"));
	try {
		const child = Bun.spawn([process.execPath, "--no-install", builder, folder], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
		const [errorOutput, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited]);
		if (exitCode !== 0) throw fail("INTERNAL").because(new Error(`${builder} failed: ${errorOutput}`));
		return await readFiles(folder, pattern);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function readFiles(folder: string, pattern: string): Promise<BuiltFiles> {
	const fileNames = [...new Bun.Glob(pattern).scanSync({ cwd: folder })].map((name) => name.replaceAll("\\", "/"));
	const files = fileNames.map(async (name): Promise<readonly [string, BuiltFile]> => {
		const content = await Bun.file(join(folder, name)).bytes();
		return [name, { mediaType: mediaTypes[extname(name)] ?? "", content, gzipped: Bun.gzipSync(content, { level: 9 }) }];
	});
	return new Map(await Promise.all(files));
}
