/**
 * Does what a guide in docs/guides tells, in a folder of its own. Blocks of code are of four kinds: `sh server` starts the server,
 * `sh` is run in one shell, from block to block, a language with a file name is saved, and `text` is what the block before it prints.
 */

import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootFolder } from "../../scripts/checks.ts";
import { freePort } from "../doubles/free-port.ts";
import { listening, type ServerProcess } from "../doubles/server-process.ts";

interface Block {
	readonly language: string;
	/** A file name, or `server`. */
	readonly about: string;
	readonly code: string;
}

export interface Followed {
	/** The lines of `text` blocks that nothing printed, with what was printed instead. */
	readonly missing: readonly { readonly line: string; readonly printed: string }[];
	readonly blocks: number;
}

const usualAddress = "http://127.0.0.1:6767";
/** Of the app that a guide makes. */
const appAddress = "http://127.0.0.1:8080";
const ended = "the block has ended with";

/** @param env for the server and the shell. Rejects when a command fails. */
export async function followGuide(page: string, env: Readonly<Record<string, string>> = {}): Promise<Followed> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-guide-"));
	const path = `${await programs(folder)}:${process.env["PATH"] ?? ""}`;
	const blocks = blocksOf(page);
	const appPort = await freePort();
	const shell = openShell(folder, { HOME: folder, CHAT_PORT: String(appPort), ...env, PATH: path });
	let server: ServerProcess | null = null;
	const own = (code: string) => {
		const addressed = code.replaceAll(usualAddress, server?.address ?? usualAddress).replaceAll(appAddress, `http://127.0.0.1:${appPort}`);
		return addressed.replaceAll("sm_…", server?.key ?? "sm_…");
	};
	const missing: { line: string; printed: string }[] = [];
	try {
		let printed = "";
		for (const { language, about, code } of blocks) {
			if (language === "sh" && about === "server") server = await startServer(code, folder, { HOME: folder, ...env, PATH: path });
			else if (language === "sh") printed = await shell.run(own(code));
			else if (language === "text")
				missing.push(
					...code
						.split("\n")
						.filter((line) => !isPrinted(own(line), printed))
						.map((line) => ({ line, printed })),
				);
			else await Bun.write(join(folder, named(about, language)), own(code));
		}
		return { missing, blocks: blocks.length };
	} finally {
		await shell.end();
		await server?.kill("SIGTERM");
		await rm(folder, { recursive: true, force: true });
	}
}

function named(about: string, language: string): string {
	if (about === "" || about.includes("/")) throw new Error(`a block of ${language} names no file`);
	return about;
}

function blocksOf(page: string): readonly Block[] {
	const found = [...page.matchAll(/^```(\S+) ?(.*)\n([\s\S]*?)^```$/gm)];
	return found.map(([, language = "", about = "", code = ""]) => ({ language, about, code: code.trimEnd() }));
}

/** `…` stands for anything. */
function isPrinted(line: string, printed: string): boolean {
	const pattern = line
		.trim()
		.split("…")
		.map((part) => RegExp.escape(part))
		.join(".*");
	return new RegExp(pattern).test(printed);
}

/** `cairn` and `bun` as somebody has them who installed both, and the package where a guide imports it. */
async function programs(folder: string): Promise<string> {
	const bin = join(folder, ".bin");
	await mkdir(bin);
	await mkdir(join(folder, "node_modules"));
	await symlink(rootFolder.replace(/\/$/, ""), join(folder, "node_modules/cairn-memory"));
	await symlink(join(rootFolder, "node_modules/zod"), join(folder, "node_modules/zod"));
	await symlink(process.execPath, join(bin, "bun"));
	await writeFile(join(bin, "cairn"), `#!/bin/sh\nexec "${process.execPath}" --no-install "${rootFolder}server/main.ts" "$@"\n`, { mode: 0o755 });
	return bin;
}

async function startServer(code: string, folder: string, env: Readonly<Record<string, string>>): Promise<ServerProcess> {
	return listening(Bun.spawn(["bash", "-c", `exec env ${code}`], { cwd: folder, env: { ...env, PORT: "0" }, stdio: ["ignore", "pipe", "pipe"] }));
}

/** One shell for all blocks, so that what one sets the next has. */
function openShell(folder: string, env: Readonly<Record<string, string>>) {
	const child = Bun.spawn(["bash"], { cwd: folder, env, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
	let printed = "";
	const drain = async (stream: ReadableStream<Uint8Array>) => {
		const decoder = new TextDecoder();
		for await (const piece of stream) printed += decoder.decode(piece, { stream: true });
	};
	const drained = Promise.all([drain(child.stdout), drain(child.stderr)]);
	return {
		run: async (code: string) => {
			printed = "";
			child.stdin.write(`set -e; trap 'echo "${ended} $?"' EXIT\n${code}\ntrap - EXIT; echo "${ended} 0"\n`);
			await child.stdin.flush();
			const end = new RegExp(`${ended} (\\d+)`);
			while (!end.test(printed)) await Bun.sleep(10);
			const [said, status] = end.exec(printed) ?? [];
			if (status !== "0") throw new Error(`this ended with ${status}:\n${code}\n${printed}`);
			return printed.replace(said ?? "", "");
		},
		end: async () => {
			child.stdin.write("kill $(jobs -p) 2>/dev/null; exit 0\n");
			await child.stdin.end();
			await Promise.all([child.exited, drained]);
		},
	};
}
