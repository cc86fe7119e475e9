/**
 * The package as somebody has it who installed it: packed, then put into a folder outside of the clone, with nothing but Node and
 * npm on the PATH. Its packages are links to those of the clone, and its Bun is the one that runs the tests, so nothing is
 * fetched; with `CAIRN_TEST_REGISTRY=1` npm installs all of it from the registry, and the launcher gets a Bun.
 */

import { cp, mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { listening, type ServerProcess } from "./server-process.ts";

const root = resolve(import.meta.dir, "../..");
const author = join(root, "test/package/author");
const fromRegistry = process.env["CAIRN_TEST_REGISTRY"] === "1";

/** Without both there is nothing that could pack or start it. */
export const canInstall = process.platform !== "win32" && Bun.which("npm") !== null && Bun.which("node") !== null;

type Env = Readonly<Record<string, string>>;

export interface Ended {
	readonly code: number;
	readonly printed: string;
}

export interface InstalledPackage {
	readonly folder: string;
	/** Beside it: what a file here imports does not find the packages of `folder`. */
	readonly elsewhere: string;
	/** Size of the archive in bytes, and the paths in it. */
	readonly packed: { readonly size: number; readonly paths: readonly string[] };
	/** In `folder`, unless another is named. */
	readonly run: (command: readonly string[], env?: Env, cwd?: string) => Promise<Ended>;
	/** Starts `command`, the package's own by default, and waits until it says where it listens. */
	readonly serve: (env: Env, command?: readonly string[], cwd?: string) => Promise<ServerProcess>;
	readonly remove: () => Promise<void>;
}

export async function installPackage(): Promise<InstalledPackage> {
	const outside = await realpath(await mkdtemp(join(tmpdir(), "cairn-package-")));
	const folder = join(outside, "project");
	const elsewhere = join(outside, "elsewhere");
	await mkdir(elsewhere);
	await cp(author, folder, { recursive: true });
	const packed = await pack(outside);
	await link(await programs(), join(outside, "bin"));
	const env = { PATH: join(outside, "bin"), HOME: process.env["HOME"] ?? outside };
	const spawn = (command: readonly string[], given: Env = {}, cwd = folder) =>
		Bun.spawn([...command], { cwd, env: { ...env, ...given }, stdio: ["ignore", "pipe", "pipe"] });
	const run: InstalledPackage["run"] = (command, given, cwd) => ended(spawn(command, given, cwd));
	await (fromRegistry ? installFromRegistry(packed.file, run) : installLinks(packed.file, folder));
	return {
		folder,
		elsewhere,
		packed,
		run,
		serve: (given, command = [join(folder, "node_modules/.bin/cairn")], cwd = folder) => listening(spawn(command, { PORT: "0", ...given }, cwd)),
		remove: () => rm(outside, { recursive: true, force: true }),
	};
}

async function pack(destination: string) {
	const { code, printed } = await ended(
		Bun.spawn(["npm", "pack", "--silent", "--pack-destination", destination], { cwd: root, stdio: ["ignore", "pipe", "pipe"] }),
	);
	if (code !== 0) throw new Error(`npm pack ended with ${code}: ${printed}`);
	const file = join(destination, `${manifest.name}-${manifest.version}.tgz`);
	const paths = (await must(["tar", "-tzf", file])).trim().split("\n");
	return { file, size: Bun.file(file).size, paths: paths.map((path) => path.replace(/^package\//, "")) };
}

/** The programs that the PATH of the empty folder leads to: no Bun is among them. */
async function programs(): Promise<Readonly<Record<string, string>>> {
	const names = ["node", "npm", "npx", "sh"];
	return Object.fromEntries(names.map((name) => [name, Bun.which(name) ?? name]));
}

async function installLinks(file: string, folder: string): Promise<void> {
	const modules = join(folder, "node_modules");
	const own = join(modules, manifest.name);
	await mkdir(own, { recursive: true });
	await must(["tar", "-xzf", file, "-C", own, "--strip-components=1"]);
	// Only what the manifest promises: a package that only the tests have is missing here as it is for everybody.
	await link(Object.fromEntries(Object.keys(manifest.dependencies).map((name) => [name, join(root, "node_modules", name)])), modules);
	await link({ cairn: join(own, manifest.bin.cairn) }, join(modules, ".bin"));
	await link({ bun: process.execPath }, join(own, ".bun-runtime/node_modules/@oven/bun-of-the-tests/bin"));
}

async function installFromRegistry(file: string, run: InstalledPackage["run"]): Promise<void> {
	await Bun.write(join(dirname(file), "project", "package.json"), '{ "private": true, "type": "module" }');
	const install = await run(["npm", "install", "--no-audit", "--no-fund", "--foreground-scripts", file, `zod@${manifest.dependencies.zod}`], {
		SCARF_VERBOSE: "true",
	});
	if (install.code !== 0) throw new Error(`npm install ended with ${install.code}: ${install.printed}`);
	// The launcher gets a Bun at the first start.
	const first = await run([join(dirname(file), "project/node_modules/.bin/cairn"), "--version"]);
	console.log(install.printed, first.printed);
}

async function link(targets: Readonly<Record<string, string>>, folder: string): Promise<void> {
	for (const [name, target] of Object.entries(targets)) {
		await mkdir(dirname(join(folder, name)), { recursive: true });
		await symlink(target, join(folder, name));
	}
}

async function must(command: readonly string[]): Promise<string> {
	const { code, printed } = await ended(Bun.spawn([...command], { stdio: ["ignore", "pipe", "pipe"] }));
	if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${printed}`);
	return printed;
}

async function ended(child: Bun.Subprocess<"ignore", "pipe", "pipe">): Promise<Ended> {
	const [out, error, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
	return { code, printed: out + error };
}
