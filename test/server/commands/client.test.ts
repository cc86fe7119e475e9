/** The commands that talk to a server, as a shell calls them: what they print, and what they end with. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
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
	expect((await run(["search", "capital", "of", "Peru", "--container=shelf"])).printed).toStartWith("nothing seems to answer this; the nearest is\n");
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
async function rememberedIn(container: string | null, word: string): Promise<string> {
	for (;;) {
		const line = (await run(["memories", ...(container === null ? [] : ["--container", container])])).printed.split("\n").find((each) => each.includes(word));
		if (line !== undefined) return line;
		await Bun.sleep(20);
	}
}

test("a folder that is added again has one document a file: what changed is changed, the rest stays as it is", async () => {
	const plans = join(folder, "plans");
	await mkdir(plans);
	await writeFile(join(plans, "sail.txt"), "The sail is red.\n");
	await writeFile(join(plans, "mast.txt"), "The mast is of ash.\n");
	const add = async (...args: readonly string[]) =>
		(await run(["add", ...args, "--container", "plans"])).printed
			.trim()
			.split("\n")
			.map((line) => line.split("  "))
			.map(([id, status, path]) => ({ id, status, name: basename(path ?? "") }))
			.toSorted((a, b) => a.name.localeCompare(b.name));
	const [mast, sail] = await add(plans);
	expect([mast?.status, sail?.status]).toEqual(["done", "done"]);
	await writeFile(join(plans, "sail.txt"), "The sail is blue.\n");
	await symlink(plans, join(folder, "way"));
	expect(await add(join(folder, "way"))).toEqual([
		{ id: mast?.id, status: "unchanged", name: "mast.txt" },
		{ id: sail?.id, status: "done", name: "sail.txt" },
	]);
	expect((await run(["search", "sail", "--container", "plans"])).printed).toContain("blue");
	expect((await run(["watch", plans, "--once", "--container", "plans"])).code).toBe(0);
	expect((await run(["containers"])).printed).toMatch(/^plans +2 documents/m);
	const [again] = await add(join(plans, "mast.txt"), "--anew");
	expect([again?.status, again?.id === mast?.id]).toEqual(["done", false]);
	expect((await run(["containers"])).printed).toMatch(/^plans +3 documents/m);
});

test("what is refused is told beside what is kept, and ends with 1", async () => {
	const good = join(folder, "good.txt");
	await writeFile(good, "Kept all the same.");
	const { code, printed, complained } = await run(["add", good, join(folder, "missing.txt"), "--container", "odd tag!"]);
	expect([code, printed]).toEqual([1, ""]);
	expect(complained).toContain("missing.txt: there is no such file");
	const mixed = await run(["add", good, join(folder, "missing.txt")]);
	expect([mixed.code, mixed.printed.includes("good.txt")]).toEqual([1, true]);
});

test("without a container, what is added is listed, described and forgotten where it was added", async () => {
	const note = join(folder, "mira.txt");
	await writeFile(note, "Mira: I live in Gullhaven.\n");
	expect((await run(["add", note])).code).toBe(0);
	const listed = await rememberedIn(null, "Gullhaven");
	expect((await run(["profile"])).printed).toContain("Gullhaven");
	expect((await run(["forget", listed])).printed).toStartWith("forgotten: ");
	expect((await run(["memories"])).printed).not.toContain("Gullhaven");
});

test("a passage is shown with its place, and no more than three of one document", async () => {
	const prices = join(folder, "prices.csv");
	const rows = Array.from({ length: 200 }, (_, row) => `L-${row},lantern with a shade of green glass number ${row},${row}.50`);
	await writeFile(prices, `article,description,price\n${rows.join("\n")}\n`);
	expect((await run(["add", prices, "--container", "shop"])).code).toBe(0);
	const { printed } = await run(["search", "lantern", "--container", "shop"]);
	const [title, ...passages] = printed.trimEnd().split("\n");
	expect(title).toEndWith("prices.csv");
	expect(passages.length).toBe(3);
	for (const passage of passages) expect(passage).toMatch(/^ {7}\[row \d+\] \S/);
});

test("a folder is added within the rate of its key, and what is stored keeps its id when the server ends", async () => {
	const many = join(folder, "many");
	await mkdir(many);
	for (let note = 0; note < 6; note++) await writeFile(join(many, `${note}.txt`), `Note ${note}.`);
	const other = join(folder, "limited");
	await mkdir(other);
	const limited = await startServerProcess(other, { CAIRN_RATE_LIMIT: "4/1s" });
	try {
		const env = { CAIRN_URL: limited.address, CAIRN_API_KEY: limited.key ?? "" };
		const { code, printed, complained } = await run(["add", many, "--no-wait"], env);
		expect([code, printed.trim().split("\n").length, complained]).toEqual([0, 6, ""]);
	} finally {
		await limited.kill("SIGTERM");
	}
	const forgetful = Bun.serve({
		hostname: "127.0.0.1",
		port: 0,
		fetch: ({ method }) => (method === "POST" ? Response.json({ id: "kept" }) : Response.json({ error: "it ends" }, { status: 503 })),
	});
	try {
		const { code, complained } = await run(["add", join(many, "0.txt")], { CAIRN_URL: forgetful.url.href });
		expect([code, complained]).toEqual([1, `cairn add: ${join(many, "0.txt")}: stored as kept, but not followed: it ends\n`]);
	} finally {
		await forgetful.stop(true);
	}
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

test("what a stored name would do to a terminal is shown, not done", async () => {
	const name = "agent\u001b[2J\u009b\u202e\nsm_fake";
	const old = Bun.serve({
		hostname: "127.0.0.1",
		port: 0,
		fetch: ({ url }) => Response.json(url.endsWith("/keys") ? { keys: [{ id: "1", name }] } : { error: name }),
	});
	try {
		const env = { CAIRN_URL: old.url.href };
		expect((await run(["keys"], env)).printed).toBe("1  agent\\u001b[2J\\u009b\\u202e\\u000asm_fake\n");
		const { printed } = await run(["keys", "--json"], env);
		expect(printed).not.toMatch(/[^\P{Cc}\n\t]|\u202e/u);
		expect(JSON.parse(printed)).toEqual({ keys: [{ id: "1", name }] });
	} finally {
		await old.stop(true);
	}
});

test("status, and a server that is not there", async () => {
	expect((await run(["status"])).printed).toStartWith(`${server.address}: ready\n`);
	const gone = await run(["status"], { CAIRN_URL: "http://127.0.0.1:9" });
	expect([gone.code, gone.complained]).toEqual([1, "cairn status: no Cairn server responds at http://127.0.0.1:9: start one, or set CAIRN_URL\n"]);
});

test("who calls a command wrongly reads how it is called", async () => {
	expect(await refused(["add"])).toContain("usage: cairn add FILE|DIR|URL|- …");
	expect(await refused(["search", "--limt=3", "x"])).toContain("usage: cairn search QUESTION");
	expect(await refused(["forget"])).toContain("usage: cairn forget MEMORY");
	expect(await refused(["search", "--limit", "many", "x"])).toContain('--limit should be a number, not "many"');
	expect(await refused(["memories", "--threshold=", "x"])).toContain('--threshold should be a number, not ""');
	expect(await refused(["status"], { CAIRN_API_KEY: "sm_one\nsm_two" })).toContain("the API key has characters that no key has");
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
	expect(await complete("cairn keys ''", 2)).toBe("make revoke");
	expect(await complete("cairn import --from mem", 3)).toBe("mem0");
	await writeFile(join(folder, "completed.txt"), "");
	expect(await complete(`cairn add ${join(folder, "compl")}`, 2)).toBe(join(folder, "completed.txt"));
	expect(await complete(`cairn search ${join(folder, "compl")}`, 2)).toBe("");
});
