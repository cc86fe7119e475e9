/**
 * A bad file hurts only itself. Real servers get every hostile file there is: each ends with a truthful code and a hint, once;
 * the server answers all along and stays small; documents beside hostile ones are read while those still are; no process is
 * left. How much longer they take is told by `npm run bench hostile-neighbours`.
 */

import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { healthyPdf, hostilePdfs } from "../doubles/hostile/hostile-pdfs.ts";
import { type HostileFile, hostileFiles, hostileNames } from "../doubles/hostile-files.ts";
import { type ProcessFamily, watchFamily } from "../doubles/process-family.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "hostile-test-key-0001";
const headers = { authorization: `Bearer ${key}` };
/** What is endless is ended soon; healthy files need a tenth of it. */
const tight = { CAIRN_EXTRACT_TIMEOUT_MS: "4000", CAIRN_EXTRACT_MEMORY_MB: "500", CAIRN_SANDBOX_PROCESSES: "2" };
/** The default limits, or near them: whatever is legitimate is read. */
const roomy = { CAIRN_EXTRACT_TIMEOUT_MS: "60000", CAIRN_EXTRACT_MEMORY_MB: "1024", CAIRN_SANDBOX_PROCESSES: "2" };
/** A text of 20 MB with its chunks, vectors and index; everything else is far below. */
const serverMbMax = 1_500;

/** More than there are places for. */
const atOnce = 4;
/** Whatever is allowed, they need more. */
const longest = ["gigabyteStream.pdf", "threefoldStream.pdf", "millionsOfOperators.pdf", "backticks.md", "lists.md"];
const scan = join(import.meta.dir, "../../examples/documents/letter-scan.pdf");

const folder = await mkdtemp(join(tmpdir(), "cairn-hostile-"));
const started: Watched[] = [];
afterEach(() => Promise.all(started.splice(0).map(({ abandon }) => abandon())));
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Shown {
	readonly id: string;
	readonly status: string;
	readonly content: string | null;
	readonly failedStage: string | null;
	readonly error: { readonly code: string; readonly message: string; readonly hint: string | null; readonly retryAt: string | null } | null;
}

interface Watched {
	readonly server: ServerProcess;
	readonly family: ProcessFamily;
	/** How long each of many requests took that came at regular times, in milliseconds. */
	readonly answersMs: readonly number[];
	/** Stops the server as its operator would. */
	readonly end: () => Promise<void>;
	/** After a test that failed. */
	readonly abandon: () => Promise<unknown>;
}

async function start(name: string, limits: Readonly<Record<string, string>>): Promise<Watched> {
	const server = await startServerProcess(await mkdtemp(join(folder, name)), { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "info", ...limits });
	const family = watchFamily(server.pid);
	const answersMs: number[] = [];
	const statuses = new Set<number | string>();
	let isEnding = false;
	const asking = ask();

	async function ask(): Promise<void> {
		while (!isEnding) {
			const began = performance.now();
			const status = await fetch(`${server.address}/health`).then((response) => response.status, String);
			if (!isEnding) statuses.add(status);
			answersMs.push(performance.now() - began);
			await Bun.sleep(25);
		}
	}

	const watched: Watched = {
		server,
		family,
		answersMs,
		end: async () => {
			isEnding = true;
			await asking;
			expect([...statuses], "it answered all along").toEqual([200]);
			expect(await server.kill("SIGTERM")).toBe(0);
			family.stop();
			expect(family.leftOver()).toEqual([]);
		},
		abandon: () => {
			isEnding = true;
			family.stop();
			return server.kill("SIGKILL");
		},
	};
	started.push(watched);
	return watched;
}

async function upload(server: ServerProcess, fileName: string, bytes: Uint8Array): Promise<string> {
	const form = new FormData();
	form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), fileName);
	const response = await fetch(`${server.address}/v3/documents/file`, { method: "POST", headers, body: form });
	expect(response.status, fileName).toBe(200);
	return ((await response.json()) as { id: string }).id;
}

async function shown(server: ServerProcess, id: string): Promise<Shown> {
	return (await (await fetch(`${server.address}/v3/documents/${id}`, { headers })).json()) as Shown;
}

/** Asks for what is in process, for a document of 20 MB costs something to show. */
async function finished(server: ServerProcess, id: string, pauseMs: number): Promise<Shown> {
	for (;;) {
		const response = await fetch(`${server.address}/v3/documents/processing`, { headers });
		const { documents } = (await response.json()) as { documents: readonly { id: string }[] };
		if (!documents.some((document) => document.id === id)) return await shown(server, id);
		await Bun.sleep(pauseMs);
	}
}

let healthyCount = 0;

/** With and without MuPDF, quick and slow to load. */
const kinds = {
	"note.md": (words: string) => Buffer.from(`# ${words}\n\nIt *is* short.\n`),
	"note.pdf": (words: string) => healthyPdf(words),
	"note.txt": (words: string) => Buffer.from(`${words} is short.\n`),
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as readonly Kind[];

async function addHealthy(server: ServerProcess, kind: Kind): Promise<void> {
	const words = `Healthy note number ${healthyCount++}`;
	const document = await finished(server, await upload(server, kind, kinds[kind](words)), 3);
	expect([document.status, document.error]).toEqual(["done", null]);
	expect(document.content).toContain(words);
}

/** One page without a text layer: seconds of OCR. */
async function addScan(server: ServerProcess): Promise<void> {
	const { status } = await finished(server, await upload(server, "scan.pdf", await Bun.file(scan).bytes()), 10);
	expect(status).toBe("done");
}

function percentile(numbers: readonly number[], share: number): number {
	return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0;
}

const rows: string[] = [];

/** Files that a busy machine had no time for under the tight limit: a truthful end, but not the one that says something of them. */
const late: HostileFile[] = [];

async function demandEnd(server: ServerProcess, file: HostileFile, mayBeLate: boolean): Promise<void> {
	const { fileName, make, ends } = file;
	const began = performance.now();
	const document = await finished(server, await upload(server, fileName, make()), 20);
	const end = document.error?.code ?? document.status;
	rows.push(`${fileName.padEnd(28)} ${end.padEnd(18)} ${((performance.now() - began) / 1_000).toFixed(2)} s`);
	if (mayBeLate && end === "PROCESS_TIMEOUT" && !ends.includes(end)) late.push(file);
	else expect(ends, `${fileName}: ${document.error?.message}`).toContain(end);
	if (document.error === null) return;
	expect(document.status, fileName).toBe("failed");
	expect(document.failedStage, fileName).toBe("extracting");
	expect(document.error.retryAt, `${fileName} will not get better by trying again`).toBeNull();
	expect(document.error.hint?.length ?? 0, `${fileName} has a hint`).toBeGreaterThan(10);
}

describe.skipIf(process.platform !== "linux")("hostile files", () => {
	test("each fails alone, and whoever comes beside it is served as usual", async () => {
		const { server, family, answersMs, end } = await start("tight-", tight);
		for (let at = 0; at < hostileFiles.length; at += atOnce) {
			const kind = kindNames[at % kindNames.length] ?? "note.md";
			const healthy = Bun.sleep(20).then(() => addHealthy(server, kind));
			await Promise.all([healthy, ...hostileFiles.slice(at, at + atOnce).map((file) => demandEnd(server, file, true))]);
		}

		expect(family.peakMb()).toBeLessThan(serverMbMax + atOnce * Number(tight.CAIRN_EXTRACT_MEMORY_MB));
		expect(family.mostChildren()).toBeLessThanOrEqual(2 + 1 + 2 + 1 + atOnce); // two places, the lane with two that are paused, a spare, and those being killed
		const failures = server.printed().match(/"message":"a document failed"[^\n]*"document":"[^"]+"/g) ?? [];
		expect(failures.length).toBeGreaterThan(30);
		expect(new Set(failures).size, "no permanent fault is tried again").toBe(failures.length);

		await flood(server);
		report("tight", { answersMs, family });
		await end();
	}, 1_200_000);

	test("beside five that are read without end, each kind is read to its end", async () => {
		const { server, answersMs, family, abandon } = await start("five-", { ...roomy, CAIRN_EXTRACT_TIMEOUT_MS: "86400000" });
		const ids = await Promise.all(hostileFiles.filter(({ fileName }) => longest.includes(fileName)).map((file) => upload(server, file.fileName, file.make())));
		while ((await statusesOf(server, ids)).some((status) => status !== "extracting")) await Bun.sleep(20);
		for (const kind of [...kindNames, ...kindNames]) await addHealthy(server, kind);
		await addScan(server);
		const answered = answersMs.length;
		await until(() => answersMs.length > answered + 100);
		expect(await statusesOf(server, ids), "they are read all along").toEqual(longest.map(() => "extracting"));
		report("five", { answersMs, family });
		await abandon();
	}, 1_200_000);

	test("what is legitimate is read, be it long or odd", async () => {
		const { server, family, answersMs, end } = await start("roomy-", roomy);
		const legitimate = ["line.txt", "one-line.csv", "twentyThousandPages.pdf", "nested.json", "attributes.html", "table.md", "unclosed.html"];
		for (const file of hostileFiles.filter(({ fileName }) => legitimate.includes(fileName))) await demandEnd(server, { ...file, ends: ["done"] }, false);
		for (const file of late) await demandEnd(server, file, false);
		report("roomy", { answersMs, family });
		expect(family.peakMb()).toBeLessThan(serverMbMax);
		await demandNames(server);
		await demandLoneSurrogates(server);
		await end();
	}, 1_200_000);
});

async function statusesOf(server: ServerProcess, ids: readonly string[]): Promise<readonly string[]> {
	return await Promise.all(ids.map(async (id) => (await shown(server, id)).status));
}

/** More slow files than there are places in the pipeline: what comes after them is done long before they are. */
async function flood(server: ServerProcess): Promise<void> {
	const bomb = hostilePdfs.threefoldStream();
	const ids = await Promise.all(Array.from({ length: 30 }, () => upload(server, "bomb.pdf", bomb)));
	await Bun.sleep(Number(tight.CAIRN_EXTRACT_TIMEOUT_MS)); // so that every place is taken
	await Promise.all(kindNames.map((kind) => addHealthy(server, kind)));
	const left = (await statusesOf(server, ids)).filter((status) => status !== "failed").length;
	rows.push(`flood: ${left} of ${ids.length} bombs left when three healthy documents were done`);
	expect(left).toBeGreaterThan(ids.length / 4);
	for (const id of ids) await fetch(`${server.address}/v3/documents/${id}`, { method: "DELETE", headers });
}

/** A name is text: it leads nowhere, and the document is read whatever it is called. */
async function demandNames(server: ServerProcess): Promise<void> {
	for (const name of hostileNames) {
		const document = await finished(server, await upload(server, name, Buffer.from(`The words of ${name.length}.`)), 10);
		expect([document.status, document.content], name).toEqual(["done", `The words of ${name.length}.`]);
	}
	const kept = await readdir(folder, { recursive: true });
	expect(kept.filter((path) => hostileNames.some((name) => name.length > 2 && path.includes(name)))).toEqual([]);
}

/** In JSON they can be written down, in UTF-8 they cannot. */
async function demandLoneSurrogates(server: ServerProcess): Promise<void> {
	const body = '{"content":"Half of \\ud83d a sign and \\udc00 the other half."}';
	const response = await fetch(`${server.address}/v3/documents`, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body });
	expect(response.status).toBe(200);
	const { status, content } = await finished(server, ((await response.json()) as { id: string }).id, 10);
	expect([status, content?.isWellFormed()]).toEqual(["done", true]);
}

function report(title: string, { answersMs, family }: { answersMs: readonly number[]; family: ProcessFamily }): void {
	const answers = `answers p99 ${percentile(answersMs, 0.99).toFixed(0)} ms, longest ${Math.max(...answersMs).toFixed(0)} ms`;
	console.log(`${title}: ${[...rows.splice(0), answers, `peak ${family.peakMb().toFixed(0)} MB, children ${family.mostChildren()}`].join("\n")}`);
}
