/**
 * Two versions side by side over the same folders, in one run and in turn, so that what else happens on the machine hits
 * both: `bun bench/before-after/compare.ts FOLDER --before CHECKOUT [--upgraded FOLDER] [--questions FILE] [name …]`. FOLDER is
 * what `make-folders.ts` made; each version works on a copy of it. FILE holds a question a line. The folder `--upgraded` holds those that
 * the newer version has already opened, and whose memories it has extracted anew.
 */

import { readFileSync } from "node:fs";
import { cp, exists } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createWriter } from "../notes.ts";
import { key, type Server, startServer, temporaryFolder } from "../server.ts";
import { timesOf } from "../times.ts";
import { ingestOf } from "./ingest-of.ts";
import { processingOf } from "./processing-of.ts";
import { type Start, startsOf } from "./start-of.ts";

interface Load {
	readonly folder: "chunks" | "memories" | "long";
	readonly path: string;
	readonly clients: number;
	readonly body: (question: string, at: number) => unknown;
}

interface Figures {
	readonly perSecond: number;
	readonly p50: number;
	readonly p99: number;
	readonly bytes: number;
	/** Processor time of all threads of the server for a search. */
	readonly processorMs: number;
}

const rounds = 6;
/** Rounds before the first that counts: a new process still compiles what it runs most. */
const warmRounds = 3;
/** A round ends at the first response after this time: long enough that what is measured is a rate, however slow a version is. */
const roundMs = 2_000;
/** How far into the questions each round begins after the one before. */
const questionsPerRound = 100;
/** Linux counts processor time in hundredths of a second. */
const tickMs = 10;
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

const { values, positionals } = parseArgs({
	args: process.argv.slice(2),
	options: { before: { type: "string" }, questions: { type: "string" }, upgraded: { type: "string" } },
	allowPositionals: true,
});
const [folder, ...wanted] = positionals;
if (folder === undefined || values.before === undefined) throw new Error("say the folder that make-folders.ts made, and --before for the older version");
const checkouts = [resolve(values.before), resolve(import.meta.dir, "../..")] as const;
const questions = values.questions === undefined ? generated() : (await Bun.file(values.questions).text()).trim().split("\n");

const plain = (q: string) => ({ q, limit: 10 });
const ofContainer = (_: string, at: number) => ({ q: notesQuestions[at % notesQuestions.length], limit: 10, containerTag: `bench-${at % 10}`, threshold: 0 });
const ofTag = (q: string, at: number) => ({ q, limit: 10, containerTags: [`tag-${(at * 37) % 1_000}`] });
const ofCategory = (q: string, at: number) => ({ q, limit: 10, filters: { AND: [{ key: "category", value: `c${at % 20}` }] } });
const notesQuestions = generated();

const loads: Readonly<Record<string, Load>> = {
	"memories of a container, 1 client": { folder: "memories", path: "/v4/search", clients: 1, body: ofContainer },
	"memories with their kin, 1 client": {
		folder: "memories",
		path: "/v4/search",
		clients: 1,
		body: (q, at) => ({ ...ofContainer(q, at), include: { relatedMemories: true } }),
	},
	"five long documents, 1 client": { folder: "long", path: "/v3/search", clients: 1, body: plain },
	"container tag of 0.1 %, 1 client": { folder: "chunks", path: "/v3/search", clients: 1, body: ofTag },
	"container tag of 0.1 %, 8 clients": { folder: "chunks", path: "/v3/search", clients: 8, body: ofTag },
	"category of 5 %, 1 client": { folder: "chunks", path: "/v3/search", clients: 1, body: ofCategory },
	"category of 5 %, 8 clients": { folder: "chunks", path: "/v3/search", clients: 8, body: ofCategory },
	"100,000 chunks, 1 client": { folder: "chunks", path: "/v3/search", clients: 1, body: plain },
	"100,000 chunks, 8 clients": { folder: "chunks", path: "/v3/search", clients: 8, body: plain },
};

console.log("| measure | before | after | after / before |");
console.log("|---|---|---|---|");
for (const of of ["memories", "long", "chunks"] as const) {
	const chosen = Object.entries(loads).filter(([name, load]) => load.folder === of && isWanted(name));
	if (chosen.length > 0) await compareLoads(of, chosen);
}
if (isWanted("start")) await compareStarts();
if (isWanted("processing")) await compare("documents/processing, 60,000 waiting", processingOf);
if (isWanted("ingest")) await compare("notes of 1 kB to done", ingestOf);

function isWanted(name: string): boolean {
	return wanted.length === 0 || wanted.some((each) => name.includes(each));
}

/** Each version alone on the machine, one after the other: both would want all of it. */
async function compare(name: string, measure: (checkout: string) => Promise<{ readonly shown: string; readonly value: number }>): Promise<void> {
	const [before, after] = [await measure(checkouts[0]), await measure(checkouts[1])];
	console.log(`| ${name} | ${before.shown} | ${after.shown} | ${(after.value / before.value).toFixed(2)}× |`);
}

async function compareLoads(of: string, chosen: readonly (readonly [string, Load])[]): Promise<void> {
	await using copies = await temporaryFolder();
	const servers: Server[] = [];
	try {
		for (const [at, checkout] of checkouts.entries()) {
			const copy = join(copies.path, String(at));
			await cp(await folderFor(at, of), copy, { recursive: true });
			servers.push(await startServer(copy, [], {}, checkout, false));
		}
		const [before, after] = servers as [Server, Server];
		for (const [name, load] of chosen) await compareLoad(name, load, before, after);
	} finally {
		await Promise.all(servers.map((server) => server.stop()));
	}
}

async function compareStarts(): Promise<void> {
	for (const of of ["nothing", "chunks"]) {
		await using copies = await temporaryFolder();
		const paths = checkouts.map((_, at) => join(copies.path, String(at)));
		if (of !== "nothing") for (const [at, path] of paths.entries()) await cp(await folderFor(at, of), path, { recursive: true });
		const [before, after] = (await startsOf(checkouts, paths)) as [Start, Start];
		const shown = ({ readyMs, residentMb }: Start) => `ready after ${readyMs.toFixed(0)} ms, ${residentMb.toFixed(0)} MB when idle`;
		const ratio = `${(after.readyMs / before.readyMs).toFixed(2)}× ms, ${(after.residentMb / before.residentMb).toFixed(2)}× MB`;
		console.log(`| start on a folder of ${of} | ${shown(before)} | ${shown(after)} | ${ratio} |`);
	}
}

async function folderFor(version: number, of: string): Promise<string> {
	const upgraded = join(resolve(values.upgraded ?? ""), of);
	return version === 1 && values.upgraded !== undefined && (await exists(upgraded)) ? upgraded : join(resolve(folder ?? ""), of);
}

async function compareLoad(name: string, load: Load, before: Server, after: Server): Promise<void> {
	const took: [Figures[], Figures[]] = [[], []];
	for (let round = -warmRounds; round < rounds; round++) {
		// A version that always came second would meet warmer caches of the machine.
		const order = (round + warmRounds) % 2 === 0 ? [0, 1] : [1, 0];
		for (const at of order) {
			const figures = await ask(at === 0 ? before : after, load, round + warmRounds);
			if (round >= 0) took[at as 0 | 1].push(figures);
		}
	}
	const [old, now] = took.map(middle) as [Figures, Figures];
	const times = (key: "perSecond" | "p50" | "processorMs") => `${(now[key] / old[key]).toFixed(2)}×`;
	const ratio = `${times("perSecond")} q/s, ${times("p50")} p50, ${times("processorMs")} processor time`;
	console.log(`| ${name} | ${told(old)} | ${told(now)} | ${ratio} |`);
}

async function ask(server: Server, { path, clients, body }: Load, round: number): Promise<Figures> {
	const took: number[] = [];
	let bytes = 0;
	let next = 0;
	const used = processorMsOf(server);
	const began = performance.now();
	const client = async () => {
		while (performance.now() - began < roundMs) {
			const at = next++;
			const question = questions[(round * questionsPerRound + at) % questions.length] ?? "";
			const asked = performance.now();
			const response = await fetch(`${server.address}${path}`, { method: "POST", headers, body: JSON.stringify(body(question, at)) });
			const text = await response.text();
			if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
			bytes += text.length;
			took.push(performance.now() - asked);
		}
	};
	await Promise.all(Array.from({ length: clients }, client));
	const perSecond = (took.length / (performance.now() - began)) * 1_000;
	const { p50, p99 } = timesOf(took);
	return { perSecond, p50, p99, bytes: bytes / took.length, processorMs: (processorMsOf(server) - used) / took.length };
}

function middle(rounds: readonly Figures[]): Figures {
	const of = (key: keyof Figures) => timesOf(rounds.map((each) => each[key])).p50;
	return { perSecond: of("perSecond"), p50: of("p50"), p99: of("p99"), bytes: of("bytes"), processorMs: of("processorMs") };
}

function told({ perSecond, p50, p99, bytes, processorMs }: Figures): string {
	const answered = `${perSecond.toFixed(0)} q/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms`;
	return `${answered}, ${(bytes / 1_000).toFixed(1)} kB, ${processorMs.toFixed(2)} ms of processor time`;
}

/** What comes behind the name of the program, which may have blanks: among it the ticks in the program and in the system. */
function processorMsOf({ pid }: Server): number {
	const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
	const [user = 0, system = 0] = stat
		.slice(stat.lastIndexOf(")") + 2)
		.split(" ")
		.slice(11, 13)
		.map(Number);
	return (user + system) * tickMs;
}

function generated(): readonly string[] {
	const asking = createWriter(9);
	return Array.from({ length: questionsPerRound * (warmRounds + rounds) }, () => asking.question());
}
