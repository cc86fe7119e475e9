/**
 * After a deletion that is final no file of the data folder holds a word of what was deleted: tables and their log, index
 * files, originals, events. Also when the server is killed in the middle of the deletion.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holdsText } from "../doubles/holds-text.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";

const key = "erasure-test-key-0000001";
const env = { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error", CAIRN_UNDO_DAYS: "0" };
const kept = 150;
const victims = 40;
/** Upkeep runs every half minute, and what it builds takes a moment. */
const patienceMs = 150_000;

/** One word for each place that a document has. Letters alone, so that a word file has them as they are. */
const places = ["text", "title", "metadata", "customid", "filename", "filebytes", "memory", "answer"] as const;
type Place = (typeof places)[number];
const wordOf = (place: Place, round: string) => `zyxwv${round}${place}`;

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-erasure-"));
	// With so few documents there are index files.
	await writeFile(join(folder, "cairn.config.ts"), 'export default { plugins: [["sqlite", { scanMax: 50, rebuildAfter: 50 }]] };\n');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("a deletion that is final leaves nothing, after a while and after a kill", async () => {
	let server = await startServerProcess(folder, env);
	await addAll(
		server,
		Array.from({ length: kept }, (_, i) => ({ content: `Note ${i}: the quagga number ${i} grazes beside ${animal(i)}.`, customId: `kept-${i}` })),
	);

	await addVictims(server, "calm");
	await untilIndexed(server, "calm");
	expect(await found("calm")).toEqual([...places].toSorted());
	await removeVictims(server, "calm");
	await untilGone("calm");

	await addVictims(server, "killed");
	await untilIndexed(server, "killed");
	expect(await found("killed")).toEqual([...places].toSorted());
	const removing = removeVictims(server, "killed").catch(() => null);
	await Bun.sleep(15);
	await server.kill("SIGKILL");
	await removing;
	server = await startServerProcess(folder, env);
	// What the kill kept from being deleted is deleted now.
	await removeVictims(server, "killed");
	await untilGone("killed");

	const { pagination } = (await (await ask(server, "POST", "/v3/documents/list", { limit: 1 })).json()) as { pagination: { totalItems: number } };
	expect(pagination.totalItems).toBe(kept);
	expect(await server.kill("SIGTERM")).toBe(0);
}, 600_000);

function animal(i: number): string {
	return ["an okapi", "a tapir", "a kudu", "a gnu"][i % 4] ?? "nobody";
}

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

function ask(server: ServerProcess, method: string, path: string, body?: unknown, more: Readonly<Record<string, string>> = {}): Promise<Response> {
	return fetch(`${server.address}${path}`, { method, headers: { ...headers, ...more }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

async function addAll(server: ServerProcess, documents: readonly object[]): Promise<void> {
	for (let from = 0; from < documents.length; from += 50) {
		const answer = await ask(server, "POST", "/v3/documents/batch", { documents: documents.slice(from, from + 50) });
		expect(answer.status).toBeLessThan(300);
	}
	await quiet(server);
}

async function addVictims(server: ServerProcess, round: string): Promise<void> {
	const documents = Array.from({ length: victims }, (_, i) => ({
		content: `${wordOf("title", round)} number ${i}\n\nThis tells of ${wordOf("text", round)} and a tapir. ${"It grazes on. ".repeat(i * 40)}`,
		customId: `${wordOf("customid", round)}-${i}`,
		containerTag: `victims-${round}`,
		metadata: { kind: `${wordOf("metadata", round)} ${i}`, serial: i },
	}));
	await addAll(server, documents);
	const added = await ask(
		server,
		"POST",
		"/v3/documents",
		{ content: `Ada ${wordOf("memory", round)} works at the zoo. Ada ${wordOf("memory", round)} likes okapis.`, containerTag: `victims-${round}` },
		{ "idempotency-key": `erasure-${round}` },
	);
	expect(added.status).toBe(200);
	const own = { containerTag: `victims-${round}`, memories: [{ content: `Ada hides the ${wordOf("answer", round)}` }] };
	expect((await ask(server, "POST", "/v4/memories", own, { "idempotency-key": `answer-${round}` })).status).toBeLessThan(300);
	const form = new FormData();
	form.append("file", new File([`The file tells of ${wordOf("filebytes", round)}.`], `${wordOf("filename", round)}.txt`, { type: "text/plain" }));
	form.append("containerTag", `victims-${round}`);
	const uploaded = await fetch(`${server.address}/v3/documents/file`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: form });
	expect(uploaded.status).toBe(200);
	await quiet(server);
}

async function removeVictims(server: ServerProcess, round: string): Promise<void> {
	const answer = await ask(server, "DELETE", "/v3/documents/bulk", { containerTags: [`victims-${round}`] });
	expect(answer.status).toBe(200);
}

async function quiet(server: ServerProcess): Promise<void> {
	while (((await (await ask(server, "GET", "/v3/documents/processing")).json()) as { total: number }).total !== 0) await Bun.sleep(50);
}

/** There is a word file that knows the newest words, so that there is something to be erased from it. */
async function untilIndexed(_server: ServerProcess, round: string): Promise<void> {
	const word = wordOf("text", round);
	const isIn = async (path: string) => holdsText(await bytesOf(path), word);
	const files = () => paths(join(folder, "sqlite/words"));
	await until(async () => (await Promise.all((await files()).map(isIn))).includes(true), "no word file has the words");
}

async function untilGone(round: string): Promise<void> {
	await until(
		async () => (await found(round)).length === 0,
		async () => `still there: ${(await found(round)).join(", ")} in ${(await holders(round)).join(", ")}`,
	);
}

async function until(isSo: () => Promise<boolean>, complaint: string | (() => Promise<string>)): Promise<void> {
	const end = Date.now() + patienceMs;
	while (!(await isSo())) {
		if (Date.now() > end) throw new Error(typeof complaint === "string" ? complaint : await complaint());
		await Bun.sleep(500);
	}
}

/** The places of which a word is in any file, sorted. */
async function found(round: string): Promise<readonly Place[]> {
	const all = [...(await Promise.all((await paths(folder)).map(bytesOf))), ...(await names()).map((name) => Buffer.from(name))];
	return places.filter((place) => all.some((bytes) => holdsText(bytes, wordOf(place, round)))).toSorted();
}

/** The files that hold any of the words. */
async function holders(round: string): Promise<readonly string[]> {
	const held = await Promise.all(
		(await paths(folder)).map(async (path) => (holdsText(await bytesOf(path), `zyxwv${round}`) ? [path.slice(folder.length + 1)] : [])),
	);
	return held.flat();
}

async function paths(home: string): Promise<readonly string[]> {
	const entries = await readdir(home, { recursive: true, withFileTypes: true }).catch(() => []);
	return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** A file may go while they are read. */
function bytesOf(path: string): Promise<Buffer> {
	return readFile(path).catch(() => Buffer.alloc(0));
}

async function names(): Promise<readonly string[]> {
	return (await readdir(folder, { recursive: true })).map((name) => name.toLowerCase());
}
