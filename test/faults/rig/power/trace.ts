/** Records what a server asks of the disk, with strace: every write, every change of a name, and every sync, with its time. */

import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Times are seconds since 1970. */
interface Call {
	readonly began: number;
	readonly ended: number;
}

/** Paths are absolute. A `write` without an offset goes to where the last one to this file ended. */
export type DiskCall = Call &
	(
		| { readonly kind: "create"; readonly path: string; readonly empties: boolean }
		| { readonly kind: "write"; readonly path: string; readonly bytes: Uint8Array; readonly offset: number | null }
		| { readonly kind: "copy"; readonly from: string; readonly path: string }
		| { readonly kind: "truncate"; readonly path: string; readonly size: number }
		| { readonly kind: "sync"; readonly path: string }
		| { readonly kind: "rename"; readonly from: string; readonly path: string }
		| { readonly kind: "link"; readonly from: string; readonly path: string }
		| { readonly kind: "remove" | "folder"; readonly path: string }
	);

/** The kinds of call, without the time. */
type Told = DiskCall extends infer One ? (One extends Call ? Omit<One, keyof Call> : never) : never;

const calls = [
	...["openat", "write", "pwrite64", "writev", "pwritev", "ftruncate", "fsync", "fdatasync", "rename", "renameat", "renameat2"],
	...["unlink", "unlinkat", "rmdir", "link", "linkat", "mkdir", "mkdirat", "copy_file_range"],
];

export const hasStrace =
	process.platform === "linux" &&
	Bun.which("strace") !== null &&
	Bun.spawnSync(["strace", "-qq", "-o", "/dev/null", "true"], { stderr: "ignore" }).exitCode === 0;

/** The words before a command that make strace write one file for each thread, called `PREFIX.<thread>`. The command stays a child of its parent. */
export function tracing(prefix: string): readonly string[] {
	return ["strace", "-D", "-ff", "-qq", "--seccomp-bpf", "-y", "-xx", "-s", String(2 ** 22), "-ttt", "-T", "-o", prefix, "-e", `trace=${calls.join()}`];
}

/** Strace may still be writing when the server is gone. */
export async function untilStill(traces: string): Promise<void> {
	const size = async () =>
		(await Promise.all((await readdir(traces)).map(async (name) => (await stat(join(traces, name))).size))).reduce((sum, one) => sum + one, 0);
	for (let before = -1, now = await size(); now !== before; before = now, now = await size()) await Bun.sleep(500);
}

/** All calls to files below the folder, in the order in which they ended. */
export async function readTrace(traceFolder: string, below: string): Promise<readonly DiskCall[]> {
	const found: DiskCall[] = [];
	for (const name of await readdir(traceFolder)) {
		const lines = createInterface({ input: createReadStream(join(traceFolder, name), "latin1"), crlfDelay: Number.POSITIVE_INFINITY });
		for await (const line of lines) {
			const call = parseCall(line);
			if (call?.path.startsWith(below)) found.push(call);
		}
	}
	return found.toSorted((a, b) => a.ended - b.ended);
}

/** @returns null for a call that failed, or was under way when the process was killed */
function parseCall(line: string): DiskCall | null {
	const [, began = "", name = "", args = "", result = "", took = ""] = /^(\d+\.\d+) (\w+)\((.*)\) += (\d+)(?:<[^>]*>)?(?: .*)? <([\d.]+)>$/.exec(line) ?? [];
	if (name === "") return null;
	const told = parse(name, args.split(", "), Number(result));
	return told === null ? null : ({ ...told, began: Number(began), ended: Number(began) + Number(took) } as DiskCall);
}

function parse(name: string, args: readonly string[], result: number): Told | null {
	const [first = "", second = "", third = "", fourth = ""] = args;
	if (name === "openat") return third.includes("O_CREAT") ? { kind: "create", path: textOf(second), empties: third.includes("O_TRUNC") } : null;
	if (name === "write") return { kind: "write", path: pathOf(first), bytes: bytesOf(second).subarray(0, result), offset: null };
	if (name === "pwrite64") return { kind: "write", path: pathOf(first), bytes: bytesOf(second).subarray(0, result), offset: Number(fourth) };
	if (name === "writev") return { kind: "write", path: pathOf(first), bytes: vectorOf(args).subarray(0, result), offset: null };
	if (name === "pwritev") return { kind: "write", path: pathOf(first), bytes: vectorOf(args).subarray(0, result), offset: Number(args.at(-1)) };
	if (name === "ftruncate") return { kind: "truncate", path: pathOf(first), size: Number(second) };
	if (name === "fsync" || name === "fdatasync") return { kind: "sync", path: pathOf(first) };
	if (name === "copy_file_range") return { kind: "copy", from: pathOf(first), path: pathOf(third) };
	if (name === "rename" || name === "link") return { kind: name, from: textOf(first), path: textOf(second) };
	if (name.startsWith("renameat") || name === "linkat") return { kind: name === "linkat" ? "link" : "rename", from: textOf(second), path: textOf(fourth) };
	if (name === "unlink" || name === "rmdir") return { kind: "remove", path: textOf(first) };
	if (name === "unlinkat") return { kind: "remove", path: textOf(second) };
	return { kind: "folder", path: textOf(name === "mkdir" ? first : second) };
}

/** Everything is in the form `\x2f`, so there is no comma and no bracket in it. */
function bytesOf(quoted: string): Uint8Array {
	return Buffer.from(quoted.replaceAll(/["\\x]/g, ""), "hex");
}

function textOf(quoted: string): string {
	return Buffer.from(bytesOf(quoted)).toString("utf8");
}

/** Of a file handle with its path: `6<\x2f…>`. */
function pathOf(handle: string): string {
	return textOf(/<(.*)>/.exec(handle)?.[1] ?? "");
}

function vectorOf(args: readonly string[]): Uint8Array {
	return Buffer.concat(args.flatMap((arg) => [...(/iov_base="([^"]*)"/.exec(arg)?.slice(1) ?? [])]).map(bytesOf));
}
