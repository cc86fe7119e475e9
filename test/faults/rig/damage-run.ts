/** Many data folders, each with one file harmed, are started: right, or refused with a sentence, or what is lost is reported. */

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../../contract/samples.ts";
import { listening, type ServerProcess, spawnServer, startServerProcess } from "../../doubles/server-process.ts";
import { until } from "../../doubles/until.ts";
import { type Contents, contentsOf, difference } from "./contents.ts";
import { groupOf, type Harm, harmOne } from "./damage.ts";
import { quietly } from "./run-cairn.ts";
import { ask, env, key, settled } from "./talk.ts";

export interface DamagePlan {
	readonly folders: number;
	readonly seed: number;
	readonly tell: (report: DamageReport) => void;
	readonly isOver: () => Promise<boolean>;
}

export interface DamageCount {
	folders: number;
	/** Started, and everything is as it was. */
	right: number;
	/** The start ended with one sentence and its code. */
	refused: number;
	/** Started with something lost or altered, and the server or `cairn verify` says so. */
	reported: number;
	/** Something is lost or altered, without a word of either. */
	silent: number;
	/** Neither started nor ended, or ended without a sentence. */
	hung: number;
}

export interface DamageReport {
	/** By the kind of file. */
	readonly counts: ReadonlyMap<string, DamageCount>;
	readonly faults: readonly string[];
}

type Outcome = Exclude<keyof DamageCount, "folders">;

const documents = 40;
const lateNotes = 8;
/** Of processor time. On a busy machine a start waits for its turn, which is no fault of its own. */
const secondsMax = 5;
const waitedMsMax = 180_000;
const sentence = /^cairn cannot start: .+\n {2}.+\n {2}\([A-Z_]+\)\n$/;
const wordOf = (i: number) => `kestrel${i.toString(36)}q`;

export async function runDamage({ folders, seed, tell, isOver }: DamagePlan): Promise<DamageReport> {
	const random = seededRandom(seed);
	const parent = await mkdtemp(join(tmpdir(), "cairn-damage-run-"));
	const counts = new Map<string, DamageCount>();
	const faults: string[] = [];
	try {
		const originals = [await fill(join(parent, "stopped"), "SIGTERM"), await fill(join(parent, "killed"), "SIGKILL")];
		for (let i = 0; i < folders && !(await isOver()); i++) {
			const original = originals[i % originals.length] as Original;
			const folder = join(parent, `harmed-${i}`);
			await cp(original.folder, folder, { recursive: true });
			const harm = await harmOne(folder, random);
			const { outcome, words } = await startHarmed(folder, original.contents, random);
			const count = counts.get(groupOf(harm.file)) ?? { folders: 0, right: 0, refused: 0, reported: 0, silent: 0, hung: 0 };
			counts.set(groupOf(harm.file), count);
			count.folders++;
			count[outcome]++;
			if (outcome === "silent" || outcome === "hung") faults.push(`${outcome}: ${describe(harm)}, ${original.folder.slice(parent.length + 1)}: ${words}`);
			await rm(folder, { recursive: true });
			tell({ counts, faults });
		}
		return { counts, faults };
	} finally {
		await rm(parent, { recursive: true, force: true });
	}
}

function describe({ file, kind, words }: Harm): string {
	return `${file} ${kind} ${words}`;
}

interface Original {
	readonly folder: string;
	readonly contents: Contents;
}

/** Notes with a word of their own, files, memories, and index files. */
async function fill(folder: string, end: "SIGTERM" | "SIGKILL"): Promise<Original> {
	await mkdir(folder);
	await writeFile(join(folder, "cairn.config.ts"), 'export default { plugins: [["sqlite", { scanMax: 20, rebuildAfter: 10 }]] };\n');
	const server = await startServerProcess(folder, env);
	const notes = Array.from({ length: documents }, (_, i) => ({
		content: `Note ${i} tells of a ${wordOf(i)}. ${"It circles above the field and waits. ".repeat(i)}`,
		customId: `note-${i}`,
		containerTag: i % 2 === 0 ? "zoo" : "pond",
		metadata: { i },
		taskType: "superrag",
	}));
	await ask(server, "POST", "/v3/documents/batch", { documents: notes.slice(0, -lateNotes) });
	for (let i = 0; i < 3; i++) {
		const form = new FormData();
		form.append("file", new File([`A file tells of a heron ${"and of its pond ".repeat(200 * i)}.`], `file-${i}.txt`, { type: "text/plain" }));
		form.append("customId", `file-${i}`);
		await fetch(`${server.address}/v3/documents/file`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: form });
	}
	for (const tag of ["zoo", "pond"])
		await ask(server, "POST", "/v4/memories", {
			containerTag: tag,
			memories: Array.from({ length: 10 }, (_, i) => ({ content: `Keeper ${i} of the ${tag} feeds animal ${i}.` })),
		});
	await settled(server);
	const hasIndexes = async () => (await Array.fromAsync(new Bun.Glob("sqlite/{words,indexes}/*.json").scan(folder))).length >= 2;
	await until(hasIndexes);
	// These are in the log alone when the server is killed.
	await ask(server, "POST", "/v3/documents/batch", { documents: notes.slice(-lateNotes) });
	await settled(server);
	const contents = await contentsOf(
		server,
		folder,
		Array.from({ length: documents }, (_, i) => wordOf(i)),
	);
	await server.kill(end);
	return { folder, contents };
}

async function startHarmed(folder: string, before: Contents, random: () => number): Promise<{ readonly outcome: Outcome; readonly words: string }> {
	const child = spawnServer(folder, env);
	// Only `tooLong` ends a start: a busy machine may give it no time at all.
	const started = await Promise.race([listening(child, Number.POSITIVE_INFINITY).catch((thrown: Error) => thrown), tooLong(child.pid)]);
	if (typeof started === "number") {
		child.kill("SIGKILL");
		return { outcome: "hung", words: `no answer after ${started} s of processor time` };
	}
	if (started instanceof Error) {
		const printed = started.message.replace(/^the server did not start \(exit code \d+\): /, "");
		return sentence.test(printed) ? { outcome: "refused", words: printed } : { outcome: "hung", words: `ended without a sentence: ${printed}` };
	}
	return compareStarted(started, folder, before, random);
}

async function compareStarted(
	server: ServerProcess,
	folder: string,
	before: Contents,
	random: () => number,
): Promise<{ readonly outcome: Outcome; readonly words: string }> {
	try {
		// Searching for all words takes longer than the start.
		const words = Array.from({ length: 6 }, () => wordOf(Math.floor(random() * documents)));
		const isAsked = (name: string) => !name.startsWith("the search") || words.some((word) => name.endsWith(` ${word}`));
		const after = await contentsOf(server, folder, words, before);
		const { lost, altered } = difference(new Map([...before].filter(([name]) => isAsked(name))), after);
		await server.kill("SIGTERM");
		if (lost.length + altered.length === 0) return { outcome: "right", words: "" };
		const found = `lost ${lost.join(", ") || "nothing"}; altered ${altered.join(", ") || "nothing"}`;
		if (/damaged|lost/.test(server.printed()) || (await quietly(folder, "verify")) !== 0) return { outcome: "reported", words: found };
		return { outcome: "silent", words: found };
	} finally {
		await server.kill("SIGKILL");
	}
}

/** @returns the processor time after which a start is no longer waited for; little of it means that it waits for something, or had no turn */
async function tooLong(pid: number): Promise<number> {
	for (const end = performance.now() + waitedMsMax; performance.now() < end && (await processorSeconds(pid)) < secondsMax; ) await Bun.sleep(200);
	return processorSeconds(pid);
}

/** Elsewhere than on Linux only the time on the clock is known. */
async function processorSeconds(pid: number): Promise<number> {
	const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
	const [user = 0, system = 0] = text
		.slice(text.lastIndexOf(")") + 2)
		.split(" ")
		.slice(11, 13)
		.map(Number);
	return (user + system) / 100;
}
