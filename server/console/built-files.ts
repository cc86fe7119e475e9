/** Files for browsers, by their names in a folder: from the package, or built in a clone on first use. */

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fail } from "../../core/errors/fail.ts";

export interface BuiltFile {
	readonly mediaType: string;
	readonly plain: Uint8Array<ArrayBuffer>;
	readonly gzipped: Uint8Array<ArrayBuffer>;
}

export type BuiltFiles = ReadonlyMap<string, BuiltFile>;

export interface Building {
	/** A script that writes them into the folder it is given. */
	readonly builder: string;
	/** A source they are built from. Where it lies it is preferred: files beside it were made for a package and may be outdated. */
	readonly source: string;
	readonly packaged: string;
	/** Which files of the folder they are. */
	readonly pattern: string;
}

const mediaTypes: Readonly<Record<string, string>> = {
	".css": "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".json": "application/json; charset=utf-8",
};

export function loadBuilt(building: Building): Promise<BuiltFiles> {
	return existsSync(building.source) ? built(building) : readFiles(building.packaged, building.pattern);
}

/** `load`, once; after a failure the next one who asks tries again. */
export function loadedOnce(load: () => Promise<BuiltFiles>): () => Promise<BuiltFiles> {
	let loading: Promise<BuiltFiles> | null = null;
	return () => {
		loading ??= load().catch((thrown: unknown) => {
			loading = null;
			throw thrown;
		});
		return loading;
	};
}

/** In a process of its own, so that this one does not keep the memory that the builder takes. */
async function built({ builder, pattern }: Building): Promise<BuiltFiles> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-built-"));
	try {
		const child = Bun.spawn([process.execPath, "--no-install", builder, folder], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
		const [complaints, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
		if (code !== 0) throw fail("INTERNAL").because(new Error(`${builder} failed: ${complaints}`));
		return await readFiles(folder, pattern);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function readFiles(folder: string, pattern: string): Promise<BuiltFiles> {
	const names = [...new Bun.Glob(pattern).scanSync({ cwd: folder })].map((name) => name.replaceAll("\\", "/"));
	const files = names.map(async (name): Promise<readonly [string, BuiltFile]> => {
		const plain = await Bun.file(join(folder, name)).bytes();
		return [name, { mediaType: mediaTypes[extname(name)] ?? "", plain, gzipped: Bun.gzipSync(plain, { level: 9 }) }];
	});
	return new Map(await Promise.all(files));
}
