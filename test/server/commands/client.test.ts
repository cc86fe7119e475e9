/** The commands that talk to a server, as a shell calls them: what they print, and what they end with. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../../server/commands/run-command.ts";
import { type ServerProcess, startServerProcess } from "../../doubles/server-process.ts";

let folder: string;
let server: ServerProcess;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-client-"));
	server = await startServerProcess(folder);
});
afterAll(async () => {
	await server.kill("SIGTERM");
	await rm(folder, { recursive: true, force: true });
});

async function run(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
	const [printed, complained]: [string[], string[]] = [[], []];
	const call = { write: (text: string) => printed.push(text), writeError: (text: string) => complained.push(text) };
	const code = await runCommand({ args: words, env: { CAIRN_URL: server.address, CAIRN_API_KEY: server.key ?? "", XDG_CONFIG_HOME: folder, ...env }, ...call });
	return { code, printed: printed.join(""), complained: complained.join("") };
}

async function refused(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
	try {
		return `it ended with ${(await run(words, env)).code}`;
	} catch (thrown) {
		return (thrown as Error).message;
	}
}

test("a folder is added, searched, remembered and forgotten", async () => {
	const notes = join(folder, "notes");
	await mkdir(join(notes, "deep", ".git"), { recursive: true });
	await writeFile(join(notes, "boats.md"), "# Boats\n\nThe ferry to Port Ellery sails at nine.\n");
	await writeFile(join(notes, "deep", "ana.txt"), "Ana: I live in Lisbon.\n");
	await writeFile(join(notes, "deep", ".git", "config"), "nothing of interest");
	const added = await run(["add", notes, "--container", "shelf"]);
	expect([added.code, added.complained]).toEqual([0, ""]);
	expect(
		added.printed
			.trim()
			.split("\n")
			.map((line) => line.split("  ")[1]),
	).toEqual(["done", "done"]);
	const found = await run(["search", "when", "does", "the", "ferry", "sail"], { CAIRN_CONTAINER: "shelf" });
	expect(found.printed).toContain("sails at nine");
	const json = JSON.parse((await run(["search", "ferry", "--json", "--container=shelf", "--limit=1"])).printed) as { results: readonly unknown[] };
	expect(json.results.length).toBe(1);
	const listed = await rememberedIn("shelf", "Lisbon");
	expect((await run(["profile", "shelf"])).printed).toContain("Lisbon");
	expect((await run(["memories", "where does Ana live", "--container", "shelf", "--threshold", "0"])).printed).toContain("Lisbon");
	expect((await run(["containers"])).printed).toMatch(/^shelf +2 documents +\d+ memories$/m);
	expect((await run(["forget", listed, "--container", "shelf"])).printed).toStartWith("forgotten: ");
	expect((await run(["memories", "--container", "shelf"])).printed).not.toContain("Lisbon");
});

/** Memories come a moment after their document is done. */
async function rememberedIn(container: string, word: string): Promise<string> {
	for (;;) {
		const line = (await run(["memories", "--container", container])).printed.split("\n").find((each) => each.includes(word));
		if (line !== undefined) return line;
		await Bun.sleep(20);
	}
}

test("what is refused is told beside what is kept, and ends with 1", async () => {
	const good = join(folder, "good.txt");
	await writeFile(good, "Kept all the same.");
	const { code, printed, complained } = await run(["add", good, join(folder, "missing.txt"), "--container", "odd tag!"]);
	expect([code, printed]).toEqual([1, ""]);
	expect(complained).toContain("missing.txt: there is no such file");
	const mixed = await run(["add", good, join(folder, "missing.txt")]);
	expect([mixed.code, mixed.printed.includes("good.txt")]).toEqual([1, true]);
});

test("organisations are added, listed, given quotas and removed", async () => {
	const made = await run(["orgs", "create", "Harbour", "Ltd", "--documents", "5", "--json"]);
	const { id, key, quotas } = JSON.parse(made.printed) as { readonly id: string; readonly key: string; readonly quotas: object };
	expect([made.code, key.startsWith(`sm_${id}_`), quotas]).toEqual([0, true, { documents: 5, bytes: null, tokensPerDay: null, requestsPerMinute: null }]);
	const listed = async () => (await run(["orgs"])).printed.split("\n").find((line) => line.startsWith(id)) ?? "";
	expect(await listed()).toMatch(/Harbour Ltd +active +0 of 5 documents +0 bytes +0 tokens today/);
	expect((await run(["orgs", "quotas", id, "--requests", "60"])).printed).toMatch(/0 documents .* 60 requests a minute/);
	expect((await run(["orgs", "quotas", "none"])).code).toBe(1);
	expect((await run(["orgs", "remove", id])).code).toBe(0);
	expect(await listed()).toContain("removing");
	for (const wrong of [
		["orgs", "create"],
		["orgs", "remove"],
		["orgs", "create", "A", "--bytes", "many"],
	])
		expect(await run(wrong).catch((thrown: { readonly code?: string }) => thrown.code)).toBe("COMMAND_INVALID" as never);
});

test("keys are made, listed and revoked", async () => {
	const made = (await run(["keys", "make", "agent", "--container", "shelf", "--read-only"])).printed.trim();
	expect(made).toStartWith("sm_");
	const line = (await run(["keys"])).printed.split("\n").find((each) => each.includes("agent")) ?? "";
	expect((await run(["search", "ferry"], { CAIRN_API_KEY: made, CAIRN_CONTAINER: "shelf" })).code).toBe(0);
	expect((await run(["keys", "revoke", line.split(" ")[0] ?? ""])).code).toBe(0);
	const after = await run(["search", "ferry"], { CAIRN_API_KEY: made, CAIRN_CONTAINER: "shelf" });
	expect([after.code, after.printed]).toEqual([1, ""]);
	expect(after.complained).toStartWith("cairn search: ");
});

test("status, and a server that is not there", async () => {
	expect((await run(["status"])).printed).toStartWith(`${server.address}: ready\n`);
	const gone = await run(["status"], { CAIRN_URL: "http://127.0.0.1:9" });
	expect([gone.code, gone.complained]).toEqual([1, "cairn status: no Cairn server responds at http://127.0.0.1:9: start one, or set CAIRN_URL\n"]);
});

test("who calls a command wrongly reads how it is called", async () => {
	expect(await refused(["add"])).toContain("usage: cairn add FILE|DIR|URL|- …");
	expect(await refused(["search", "--limt=3", "x"])).toContain("usage: cairn search QUESTION");
	expect(await refused(["forget", "something"])).toContain("--container TAG");
	expect(await refused(["status"], { CAIRN_API_KEY: "" })).toContain("there is no API key for");
	expect(await refused(["status"], { CAIRN_URL: "ftp://x" })).toContain("CAIRN_URL is not an http or https URL");
	expect(await refused(["completion", "cmd"])).toContain("cairn completion bash|zsh|fish");
});

test("bash completes commands and flags with what it is given", async () => {
	const script = (await run(["completion", "bash"])).printed;
	const ask = (words: string, at: number) => `${script}\nCOMP_WORDS=(${words}); COMP_CWORD=${at}; _cairn; echo "\${COMPREPLY[*]}"`;
	const complete = async (words: string, at: number) => (await Bun.$`bash -c ${ask(words, at)}`.text()).trim();
	expect(await complete("cairn se", 1)).toBe("search");
	expect(await complete("cairn add --no", 2)).toBe("--no-wait");
});
