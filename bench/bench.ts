/**
 * Measures a real server process on this machine and prints one table: `npm run bench`, or `npm run bench search-http footprint` for
 * some measures. It takes about five minutes; everything stays on loopback and in a temporary folder. `npm run bench peers` fetches other
 * engines into `bench/peers` and compares with them, `npm run bench million` compares indexes of a million passages, `npm run bench
 * executable` makes the single file and starts it.
 */

import { availableParallelism, cpus } from "node:os";
import { executable } from "./executable.ts";
import { footprint } from "./footprint.ts";
import { hostileNeighbours } from "./hostile-neighbours.ts";
import { hostileWords } from "./hostile-words.ts";
import { hybridSearch } from "./hybrid-search.ts";
import { indexBuilding } from "./index-building.ts";
import { ingest } from "./ingest.ts";
import { type Library, makeLibrary } from "./library.ts";
import type { Bench, Measure } from "./measure.ts";
import { memoriesDrawing } from "./memories-drawing.ts";
import { million } from "./peers/million.ts";
import { peers } from "./peers/peers.ts";
import { postLatency } from "./post-latency.ts";
import { profile } from "./profile.ts";
import { type Row, table } from "./row.ts";
import { searchHttp } from "./search-http.ts";
import { searchWhileIngesting } from "./search-while-ingesting.ts";
import { wordSearch } from "./word-search.ts";

const measures: Readonly<Record<string, Measure>> = {
	ingest,
	"memories-drawing": memoriesDrawing,
	"post-latency": postLatency,
	profile,
	"search-http": searchHttp,
	"search-while-ingesting": searchWhileIngesting,
	"index-building": indexBuilding,
	"word-search": wordSearch,
	"hybrid-search": hybridSearch,
	"hostile-neighbours": hostileNeighbours,
	"hostile-words": hostileWords,
	footprint,
	executable,
	peers,
	million,
};
/** Other engines are only installed, and the executable is only made, where they are asked for. */
const onRequest = new Set(["peers", "million", "executable"]);

const wanted = process.argv.slice(2);
const chosen = Object.entries(measures).filter(([name]) => (wanted.length === 0 ? !onRequest.has(name) : wanted.includes(name)));
const unknown = wanted.find((name) => !(name in measures));
if (unknown !== undefined) {
	console.error(`there is no measure called ${unknown}; there are ${Object.keys(measures).join(", ")}`);
	process.exit(1);
}

const made: Promise<Library>[] = [];
const bench: Bench = {
	library: () => {
		made[0] ??= makeLibrary();
		return made[0];
	},
};

const rows: Row[] = [];
try {
	for (const [name, measure] of chosen) {
		console.error(`measuring ${name}`);
		rows.push(...(await measure(bench)));
	}
} finally {
	for (const library of made) await (await library)[Symbol.asyncDispose]();
}
console.log(`${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Bun ${Bun.version}\n`);
console.log(table(rows));
if (rows.some(({ isMet }) => isMet === false)) process.exitCode = 1;
