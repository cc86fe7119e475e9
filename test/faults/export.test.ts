/** An export holds what the store holds, in the open; imported into an empty folder it makes the same export again, killed in between or not. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runCommand } from "../../server/commands/run-command.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";
import { zipOf } from "../doubles/zip-of.ts";

const secret = "client-secret-canary-0001";

interface Ended {
	/** Null when it threw. */
	readonly code: number | null;
	readonly said: string;
}

async function run(dataDir: string, ...words: readonly string[]): Promise<Ended> {
	const printed: string[] = [];
	const tell = (text: string) => printed.push(text);
	try {
		return { code: await runCommand({ args: words, env: { CAIRN_DATA_DIR: dataDir }, write: tell, writeError: tell }), said: printed.join("") };
	} catch (thrown) {
		return { code: null, said: (thrown as Error).message };
	}
}

type Answer = Readonly<Record<string, unknown>>;

function talkTo({ address }: ServerProcess, key: string) {
	const authorization = `Bearer ${key}`;
	const taken = async (path: string, answer: Response) => {
		if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
		return (await answer.json()) as Answer;
	};
	return {
		ask: async (method: string, path: string, body?: unknown) => {
			const headers = { authorization, "content-type": "application/json" };
			return taken(path, await fetch(`${address}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }));
		},
		upload: async (name: string, bytes: Uint8Array<ArrayBuffer> | string, tag: string) => {
			const form = new FormData();
			form.append("containerTag", tag);
			form.append("file", new Blob([bytes]), name);
			return taken(name, await fetch(`${address}/v3/documents/file`, { method: "POST", headers: { authorization }, body: form }));
		},
	};
}

type Talk = ReturnType<typeof talkTo>;

let folder: string;
let data: string;
let file: string;
let lines: readonly Answer[];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-export-"));
	[data, file] = [join(folder, "data"), join(folder, "one.jsonl")];
	await mkdir(data);
	const server = await startServerProcess(data);
	const talk = talkTo(server, server.key ?? "");
	await fill(talk);
	const { code, said } = await run(data, "export", file);
	expect([code, said]).toEqual([0, expect.stringMatching(/one\.jsonl: \d+ documents, \d+ memories/)]);
	// One that waits to be read when the second export is made.
	expect((await run(data, "import", file)).said).toContain("is in use");
	await server.kill("SIGTERM");
	lines = await linesOf(file);
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fill({ ask, upload }: Talk): Promise<void> {
	await ask("PATCH", "/v3/settings", { filterPrompt: "only boats", notionCustomKeyEnabled: true, notionClientId: "id-1", notionClientSecret: secret });
	for (let i = 0; i < 12; i++)
		await ask("POST", "/v3/documents", {
			content: `# Note ${i}\n\nThe heron of pond ${i} was seen at dawn. ${"It stood still. ".repeat(i * 40)}`,
			customId: `note-${i}`,
			containerTags: [`tag-${i % 3}`],
			metadata: { i, kind: ["bird", "pond"], "odd key": "é\u2028", isGood: i % 2 === 0 },
		});
	await upload("pond.md", "# The pond\n\nAna: I live in Lisbon.\n\nAna: I work at the harbour.\n", "ana");
	await upload("box.zip", new Uint8Array(zipOf({ "inner.txt": "The inner file tells of a bittern." })), "ana");
	await upload("broken.pdf", "%PDF-1.7 and nothing else", "ana");
	await ask("POST", "/v4/conversations", {
		conversationId: "talk-1",
		messages: [
			{ role: "user", content: "My name is Ben and I moved to Ulm." },
			{ role: "assistant", content: "Welcome to Ulm." },
		],
		containerTags: ["ben"],
	});
	const written = await ask("POST", "/v4/memories", {
		containerTag: "ana",
		memories: [{ content: "Ana's boat is green" }, { content: "Ana sails on Sundays" }],
	});
	const [boat, sails] = written["memories"] as readonly { readonly id: string }[];
	await until(async () => ((await ask("GET", "/v3/documents/processing")) as { total: number }).total === 0);
	// What is exported would still change while a job waits or is worked on.
	const isIdle = async () => {
		const { waiting, leased } = (await ask("GET", "/ready"))["queue"] as { readonly waiting: number; readonly leased: number };
		return waiting + leased === 0;
	};
	await until(isIdle);
	await ask("PATCH", "/v4/memories", { containerTag: "ana", id: boat?.id, newContent: "Ana's boat is red" });
	await ask("DELETE", "/v4/memories", { containerTag: "ana", id: sails?.id, reason: "she sold it" });
	await ask("PATCH", "/v3/container-tags/ana", { name: "Ana", entityContext: "Ana, who sails" });
	await until(isIdle);
}

async function linesOf(path: string): Promise<readonly Answer[]> {
	return (await readFile(path, "utf8"))
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line) as Answer);
}

/** All but the first line, which tells when it was made. */
async function bodyOf(path: string): Promise<string> {
	const text = await readFile(path, "utf8");
	return text.slice(text.indexOf("\n"));
}

const ofType = (type: string) => lines.filter((line) => line["type"] === type);

test("it holds documents with originals and chunks, memories with versions, edges and evidence, containers and settings, and no secret", async () => {
	const whole = await readFile(file, "utf8");
	expect(whole).not.toContain(secret);
	expect(whole).not.toContain("ClientSecret");
	expect(whole).not.toMatch(/"(?:hash|vector)"/);
	expect(ofType("settings")[0]?.["value"]).toMatchObject({ filterPrompt: "only boats", notionClientId: "id-1" });
	const documents = ofType("document");
	expect(documents.filter(({ customId }) => String(customId).startsWith("note-")).length).toBe(12);
	const pond = documents.find(({ content }) => (content as Answer)["fileName"] === "pond.md");
	const bytes = Buffer.concat(
		ofType("file")
			.filter(({ document }) => document === pond?.["id"])
			.map(({ data }) => Buffer.from(String(data), "base64")),
	);
	expect(createHash("sha256").update(bytes).digest("hex")).toBe(String((pond?.["content"] as Answer | undefined)?.["sha256"]));
	expect(documents.find(({ customId }) => String(customId).startsWith("member/"))?.["text"] ?? "missing").not.toBe("missing");
	expect(documents.map(({ status }) => status)).toContain("failed");
	const memories = ofType("memory");
	const red = memories.find(({ text }) => text === "Ana's boat is red");
	expect(red).toMatchObject({ version: 2, isLatest: true });
	expect(memories.find(({ text }) => text === "Ana sails on Sundays")).toMatchObject({ isForgotten: true, forgetReason: "she sold it" });
	expect(memories.some(({ evidence }) => (evidence as readonly unknown[]).length > 0)).toBe(true);
	expect(ofType("edge")).toContainEqual({ type: "edge", from: red?.["id"], to: red?.["parent"], relation: "updates" });
	expect(ofType("container").find(({ tag }) => tag === "ana")).toMatchObject({ name: "Ana", entityContext: "Ana, who sails" });
	expect(await readdir(folder)).toEqual(["data", "one.jsonl"]);
});

test("imported into an empty folder it is found by the same ids, and exported again it is the same, byte by byte", async () => {
	const copy = join(folder, "copy");
	const { code, said } = await run(copy, "import", file);
	expect([code, said]).toEqual([0, expect.stringContaining(`${ofType("document").length} documents and ${ofType("memory").length} memories imported`)]);
	expect((await run(copy, "export", join(folder, "two.jsonl"))).code).toBe(0);
	expect(await bodyOf(join(folder, "two.jsonl"))).toBe(await bodyOf(file));
	expect((await run(copy, "verify")).code).toBe(0);
	expect((await run(copy, "import", file)).said).toMatch(/: 0 documents and 0 memories imported .*, \d+ existed already/);

	const [before, after] = [await startServerProcess(data, { CAIRN_API_KEY: "before-key-000001" }), await startServerProcess(copy)];
	const found = async (talk: Talk) => {
		const documents = (await talk.ask("POST", "/v3/search", { q: "heron of pond 7", limit: 3 }))["results"] as readonly { readonly documentId: string }[];
		const memories = (await talk.ask("POST", "/v4/search", { q: "where does Ana live", threshold: 0, containerTag: "ana" }))["results"];
		return { documents: documents.map(({ documentId }) => documentId), memories: (memories as readonly { readonly id: string }[]).map(({ id }) => id) };
	};
	const [was, is] = [await found(talkTo(before, "before-key-000001")), await found(talkTo(after, after.key ?? ""))];
	expect(is).toEqual(was);
	expect(is.documents.length + is.memories.length).toBeGreaterThan(2);
	await Promise.all([before.kill("SIGTERM"), after.kill("SIGTERM")]);
	// A server has looked at it, and has not read anything anew.
	expect((await run(copy, "export", join(folder, "three.jsonl"))).code).toBe(0);
	expect(await bodyOf(join(folder, "three.jsonl"))).toBe(await bodyOf(file));
}, 240_000);

const main = resolve(import.meta.dir, "../../server/main.ts");

test("killed anywhere and started again it ends as one that was not", async () => {
	let kills = 0;
	for (const kilobytes of [40, 200, 400, 600, 800]) {
		const copy = join(folder, `killed-${kilobytes}`);
		kills += (await killedImport(copy, kilobytes)) ? 1 : 0;
		expect(await run(copy, "import", file)).toMatchObject({ code: 0 });
		const again = join(folder, `killed-${kilobytes}.jsonl`);
		expect((await run(copy, "export", again)).code).toBe(0);
		expect(await bodyOf(again)).toBe(await bodyOf(file));
	}
	expect(kills).toBeGreaterThan(0);
}, 240_000);

/** Killed when so much is written. @returns whether it was not over by then. */
async function killedImport(dataDir: string, kilobytes: number): Promise<boolean> {
	const child = Bun.spawn([process.execPath, "--no-install", main, "import", file], {
		env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", CAIRN_DATA_DIR: dataDir },
		cwd: folder,
		stdout: "ignore",
		stderr: "ignore",
	});
	const log = join(dataDir, "sqlite", "cairn.sqlite-wal");
	while (child.exitCode === null && (statSync(log, { throwIfNoEntry: false })?.size ?? 0) < kilobytes * 1_024) await Bun.sleep(1);
	child.kill("SIGKILL");
	await child.exited;
	return child.signalCode !== null;
}

describe("is refused with a sentence, before anything is imported", () => {
	const written = async (name: string, text: string | Uint8Array) => {
		await writeFile(join(folder, name), text);
		return join(folder, name);
	};
	/** With the checksum that these lines have. */
	const signed = async (name: string, change: (lines: Answer[]) => unknown[]) => {
		const [head, ...body] = change([...lines].slice(0, -1));
		const text = body.map((line) => `${JSON.stringify(line)}\n`).join("");
		const counts: Record<string, number> = { container: 0, document: 0, file: 0, chunk: 0, memory: 0, edge: 0 };
		for (const line of body) {
			const { type } = line as { readonly type: string };
			if (type in counts) counts[type] = (counts[type] ?? 0) + 1;
		}
		const end = { type: "end", counts, sha256: createHash("sha256").update(text).digest("hex") };
		return written(name, `${JSON.stringify(head)}\n${text}${JSON.stringify(end)}\n`);
	};
	const changed = (type: string, more: object) => (all: Answer[]) => {
		const at = all.findIndex((line) => line["type"] === type);
		return all.with(at, { ...all[at], ...more });
	};
	const cases: readonly (readonly [string, RegExp, () => Promise<string>])[] = [
		["nothing", /it is empty/, () => written("a.jsonl", "")],
		["another file", /line 1 is not valid JSON/, () => written("b.jsonl", "hello\n")],
		["other JSON", /first line is not that of an export/, () => written("c.jsonl", "[]\n")],
		["a newer format", /has format 9, but this version of Cairn reads format 1/, () => written("d.jsonl", '{"type":"cairn-export","format":9}\n')],
		[
			"one that is cut off between lines",
			/its last line is missing/,
			async () => written("e.jsonl", `${JSON.stringify(lines[0])}\n${JSON.stringify(lines[1])}\n`),
		],
		["one that is cut off in a line", /in the middle of a line/, async () => written("f.jsonl", (await readFile(file)).subarray(0, 3_000))],
		["bytes that are no text", /is not valid JSON/, async () => written("g.jsonl", Buffer.concat([await readFile(file), Buffer.from([0xff, 0xfe, 0x0a])]))],
		["something behind the end", /comes after the line of type/, async () => written("h.jsonl", `${await readFile(file, "utf8")}{}\n`)],
		["a path for an id", /, id: is not an id/, () => signed("i.jsonl", changed("document", { id: "../../../etc/passwd" }))],
		[
			"a path for a blob",
			/content\.blob: is not an id/,
			() =>
				signed("j.jsonl", (all) =>
					changed("document", {
						content: { ...(ofType("document").find(({ content }) => (content as Answer)["kind"] === "file")?.["content"] as object), blob: "../../x" },
					})(all),
				),
		],
		["metadata that is none", /metadata: is not metadata/, () => signed("k.jsonl", changed("document", { metadata: { a: { b: 1 } } }))],
		["a field that is not known", /Unrecognized key/, () => signed("l.jsonl", changed("memory", { owner: "me" }))],
		["a line of an unknown type", /line 2/, () => signed("m.jsonl", ([head, ...rest]) => [head, { type: "key", hash: "x" }, ...rest])],
		[
			"a chunk of another document",
			/is not the next chunk of the document before it/,
			() => signed("n.jsonl", changed("chunk", { document: "1111111111111111111111" })),
		],
		["documents behind memories", /comes too late/, () => signed("o.jsonl", (all) => [...all, all.find((line) => line["type"] === "document")])],
		[
			"fewer lines than it says",
			/should have \d+ lines of type edge, but has/,
			async () => {
				const text = (await readFile(file, "utf8")).replace(/("edge":)(\d+)(\})/, "$199$3");
				return written("p.jsonl", text);
			},
		],
		["a time that is none", /createdAt/, () => signed("q.jsonl", changed("memory", { createdAt: "yesterday" }))],
	];
	for (const [what, words, make] of cases)
		test(what, async () => {
			const target = join(folder, "target");
			const { code, said } = await run(target, "import", await make());
			expect([code, said]).toEqual([null, expect.stringMatching(words)]);
			expect(said).not.toContain("\n");
			expect(existsSync(target)).toBe(false);
		});

	test("a changed byte, wherever it is", async () => {
		const bytes = await readFile(file);
		const from = bytes.indexOf(0x0a) + 1;
		for (let at = from; at < bytes.length; at += Math.ceil(bytes.length / 25)) {
			const other = Uint8Array.from(bytes);
			other[at] = (other[at] ?? 0) ^ 0x01;
			const { code, said } = await run(join(folder, "target"), "import", await written("flipped.jsonl", other));
			expect([at, code, said]).toEqual([at, null, expect.stringContaining("this is not a complete export")]);
		}
	}, 60_000);

	test("an id that is there twice", async () => {
		const twice = await signed("twice.jsonl", (all) => {
			const [first, second] = all.flatMap((line, i) => (line["type"] === "chunk" && line["position"] === 0 ? [i] : []));
			return all.with(second ?? 0, { ...all[second ?? 0], id: all[first ?? 0]?.["id"] });
		});
		expect(await run(join(folder, "twice"), "import", twice)).toMatchObject({ code: null, said: expect.stringContaining("an id occurs twice in it") });
	});
});

test("what is there already stays, and what it stands in the way of is named", async () => {
	const other = join(folder, "other");
	await mkdir(other);
	const server = await startServerProcess(other);
	await talkTo(server, server.key ?? "").ask("POST", "/v3/documents", { content: "Another note.", customId: "note-3", containerTag: "tag-0" });
	await server.kill("SIGTERM");
	const refused = ofType("document").find(({ customId }) => customId === "note-3")?.["id"];
	expect(await run(other, "import", file)).toMatchObject({ code: 1, said: expect.stringContaining(String(refused)) });
	await cp(data, join(folder, "kept"), { recursive: true });
	expect((await run(data, "export", file)).said).toContain("exists already");
	expect((await run(join(folder, "nowhere"), "export", join(folder, "x.jsonl"))).said).toContain("it holds no data of a server");
	expect((await run(other, "import", join(folder, "missing.jsonl"))).said).toContain("there is no");
}, 60_000);
