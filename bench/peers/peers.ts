/**
 * Searches of Cairn beside LanceDB, Chroma and pgvector on the same passages with the same vectors, in one run: `npm run bench peers`.
 * It installs the peers into this folder first. `BENCH_POSTGRES` is the address of a database with pgvector, for plain SQL and for Cairn on it,
 * `BENCH_CHROMA` the port of a Chroma server that runs already, `BENCH_PASSAGES` how many passages (100,000), `BENCH_TEXTS` a file whose
 * text they are cut from and `BENCH_QUESTIONS` one with a question a line; without them both are made up.
 */

import { join } from "node:path";
import staticTable from "../../plugins/embedders/static/index.ts";
import { partOf } from "../../test/contract/start.ts";
import type { Measure } from "../measure.ts";
import { judged, type Row, told } from "../row.ts";
import { startServer, temporaryFolder } from "../server.ts";
import { fillCairn, openVectors, searchOf } from "./cairn.ts";
import { openChroma } from "./chroma.ts";
import { createDatabase } from "./database.ts";
import { openLancedb } from "./lancedb.ts";
import { packageOf } from "./packages.ts";
import { countOf, everything, ofCategory, ofTag, passagesOf, questionsOf } from "./passages.ts";
import { type Ask, best, type Peer, type Question } from "./peer.ts";
import { openPgvector } from "./pgvector.ts";
import { recallAmong } from "./recall.ts";
import { type Figures, type Load, runRounds, shownFigures } from "./run-rounds.ts";

const count = countOf(100_000);
const recallMin = 0.99;
/** Index files are made in the background after the last document, and a search reads what they lack. */
const settleMs = 30_000;

/** A goal is how many times as many questions a second Cairn answers. */
interface Contest extends Load {
	readonly name: string;
	readonly goals: Readonly<Record<string, number>>;
}

const contests: readonly Contest[] = [
	{ name: "hybrid, 1 client", clients: 1, filterOf: everything, goals: { LanceDB: 3, Chroma: 150, pgvector: 80 } },
	{ name: "hybrid, 8 clients", clients: 8, filterOf: everything, goals: { LanceDB: 3, Chroma: 150, pgvector: 80 } },
	{ name: "hybrid, tag of 0.1 %, 1 client", clients: 1, filterOf: ofTag, goals: { pgvector: 3 } },
	{ name: "hybrid, tag of 0.1 %, 8 clients", clients: 8, filterOf: ofTag, goals: { pgvector: 3 } },
	{ name: "hybrid, category of 5 %, 1 client", clients: 1, filterOf: ofCategory, goals: { pgvector: 8 } },
	{ name: "hybrid, category of 5 %, 8 clients", clients: 8, filterOf: ofCategory, goals: { pgvector: 8 } },
];
const vectorContests: readonly Contest[] = [
	{ name: "vectors alone, Cairn in process, 1 client", clients: 1, filterOf: everything, goals: { Chroma: 6 } },
	{ name: "vectors alone, tag of 0.1 %, 1 client", clients: 1, filterOf: ofTag, goals: {} },
	{ name: "vectors alone, category of 5 %, 1 client", clients: 1, filterOf: ofCategory, goals: {} },
];
const p50MsMax = 1.5;

const own = "Cairn";
const onPostgres = "Cairn on PostgreSQL";
/** The p50 of PostgreSQL is at most so many times that of SQLite, and its rate at least so many times that of the peers. */
const postgresTimesMax = 3;
const postgresGoals: Readonly<Record<string, number>> = { Chroma: 5, pgvector: 5 };

export const peers: Measure = async () => {
	const embedder = await partOf(staticTable(), "embedder");
	const passages = await passagesOf(embedder, count);
	const questions = await questionsOf(embedder);
	await using rooms = new AsyncDisposableStack();
	const folder = rooms.use(await temporaryFolder()).path;
	const others = await openPeers(rooms, folder);
	const rows: Row[] = [];
	for (const { name, fill } of others) rows.push(await filling(name, () => fill(passages)));
	const home = join(folder, "cairn");
	const passageOf = await (async () => {
		await using servers = new AsyncDisposableStack();
		const serve = async (name: string, at: string, settings: Readonly<Record<string, string>>) => {
			const server = await startServer(at, [], settings, undefined, false);
			servers.defer(server.stop);
			let stored: ReadonlyMap<string, string> = new Map();
			rows.push(
				await filling(name, async () => {
					stored = await fillCairn(server, passages);
				}),
			);
			return { stored, hybrid: searchOf(server, stored) };
		};
		const { stored, hybrid } = await serve(own, home, {});
		const engines = new Map<string, Ask>([[own, hybrid], ...others.map(({ name, hybrid }) => [name, hybrid] as const)]);
		const address = process.env["BENCH_POSTGRES"];
		if (address !== undefined) {
			const database = servers.use(await createDatabase(address));
			engines.set(onPostgres, (await serve(onPostgres, join(folder, "on-postgres"), { CAIRN_STORAGE_URL: database.address })).hybrid);
		}
		await Bun.sleep(settleMs);
		for (const contest of contests) rows.push(...(await hold(contest, engines, questions)));
		return stored;
	})();
	await using vectors = await openVectors(home, embedder, passageOf);
	const engines = new Map<string, Ask>([[own, vectors.nearest], ...others.map(({ name, nearest }) => [name, nearest] as const)]);
	for (const contest of vectorContests) {
		rows.push(...(await hold(contest, engines, questions)));
		const recallOf = recallAmong(passages, questions, contest.filterOf);
		for (const [name, ask] of engines) {
			const recall = await recallOf(ask);
			const measure = `of the truly nearest ${best}: ${name}`;
			rows.push(name === own ? judged(measure, recall.toFixed(3), `≥ ${recallMin}`, recall >= recallMin) : told(measure, recall.toFixed(3)));
		}
	}
	return rows;
};

async function openPeers(rooms: AsyncDisposableStack, folder: string): Promise<readonly Peer[]> {
	const { BENCH_POSTGRES: postgres, BENCH_CHROMA: chroma } = process.env;
	const opened = [
		await openLancedb(await packageOf("@lancedb/lancedb"), join(folder, "lancedb")),
		await openChroma(await packageOf("chromadb"), join(folder, "chroma"), chroma === undefined ? null : Number(chroma)),
		...(postgres === undefined ? [] : [await openPgvector(postgres)]),
	];
	for (const peer of opened) rooms.use(peer);
	return opened;
}

async function filling(name: string, fill: () => Promise<void>): Promise<Row> {
	const began = performance.now();
	await fill();
	const seconds = (performance.now() - began) / 1_000;
	console.error(`${name}: ${count} passages in ${seconds.toFixed(0)} s`);
	return told(`${name}: ${count.toLocaleString("en")} passages until they are found`, `${(count / seconds).toFixed(0)}/s`);
}

async function hold({ name, goals, ...load }: Contest, engines: ReadonlyMap<string, Ask>, questions: readonly Question[]): Promise<readonly Row[]> {
	console.error(`measuring ${name}`);
	const figures = await runRounds(engines, questions, load);
	const cairn = figures.get(own);
	if (cairn === undefined) throw new Error("Cairn has no figures");
	const isJudged = load.clients === 1 && load.filterOf === everything && !name.startsWith("vectors");
	const rows = [
		isJudged ? judged(`${name}: ${own}`, shownFigures(cairn), `p50 ≤ ${p50MsMax} ms`, cairn.p50 <= p50MsMax) : told(`${name}: ${own}`, shownFigures(cairn)),
	];
	const postgres = figures.get(onPostgres);
	if (postgres !== undefined) {
		const times = postgres.p50 / cairn.p50;
		rows.push(judged(`${name}: ${onPostgres}`, `${shownFigures(postgres)}; p50 ${times.toFixed(2)}×`, `≤ ${postgresTimesMax}×`, times <= postgresTimesMax));
	}
	for (const [peer, each] of figures) {
		if (peer === own || peer === onPostgres) continue;
		rows.push(against(`${name}: ${peer}`, own, cairn, each, goals[peer]));
		if (postgres !== undefined) rows.push(against(`${name}: ${peer}`, onPostgres, postgres, each, postgresGoals[peer]));
	}
	return rows;
}

function against(measure: string, name: string, cairn: Figures, other: Figures, goal: number | undefined): Row {
	const ratio = cairn.perSecond / other.perSecond;
	const value = `${shownFigures(other)}; ${name} ${ratio.toFixed(ratio < 10 ? 2 : 0)}×`;
	return goal === undefined ? told(measure, value) : judged(measure, value, `≥ ${goal}×`, ratio >= goal);
}
