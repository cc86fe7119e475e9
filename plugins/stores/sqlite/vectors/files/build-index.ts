/**
 * The program that builds one index, as a process of its own: adding to a graph blocks for milliseconds a vector, and
 * whatever happens here, the server lives. It reads the tables, writes two files beside the index in use, and says on
 * its output what is in them; the server makes them the index, or removes them.
 */

import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { setPriority } from "node:os";
import { soundVector } from "../../../sql/vectors.ts";
import { openReader } from "../../connection.ts";
import { VectorGraph } from "../matrix/vector-graph.ts";
import { quantize } from "../matrix/vector-matrix.ts";
import { pageAfter, type VectorRow } from "../vector-tables.ts";
import { DuplicateFinder } from "./duplicate-finder.ts";
import { piecesOf, readPieces } from "./file-pieces.ts";
import type { BuildTask } from "./index-builder.ts";
import { checksumSeed, indexPaths, syncPath } from "./index-folder.ts";
import type { BuiltClaims } from "./index-manifest.ts";
import { rowsPieces, rowsTail } from "./rows-file.ts";

/** Searches come first. */
const niceness = 10;

interface Rows {
	readonly keys: number[];
	readonly graph: VectorGraph;
	readonly twins: DuplicateFinder;
}

if (import.meta.main) {
	const task: BuildTask = JSON.parse(process.argv[2] ?? "");
	lowerPriority();
	process.stdout.write(JSON.stringify(await build(task)));
}

async function build(task: BuildTask): Promise<BuiltClaims> {
	const { address, generation, folder } = task;
	const { dimensions } = address.space;
	const paths = indexPaths(folder, address, generation);
	const graphPath = `${paths.graph}.tmp`;
	const rowsPath = `${paths.rows}.tmp`;
	const { keys, graph, twins } = readAll(task, rowsPath);
	graph.save(graphPath);
	await syncPath(graphPath);
	await syncPath(rowsPath);
	const sizes = { rows: keys.length, twins: twins.count, dimensions };
	const seed = checksumSeed(address, generation);
	const graphBytes = statSync(graphPath).size;
	const graphChecksum = await readPieces(graphPath, piecesOf(0, graphBytes), seed);
	const rowsChecksum = await readPieces(rowsPath, rowsPieces(sizes), seed);
	if (graphChecksum === null || rowsChecksum === null) throw new Error("a file is shorter than what was written to it");
	return { ...sizes, lastKey: keys.at(-1) ?? 0, graphRows: graph.size, graphBytes, graphChecksum, rowsChecksum };
}

/** Puts every sound vector into the rows file, and one of each kind into the graph if there is to be one. */
function readAll(task: BuildTask, rowsPath: string): Rows {
	const { address } = task;
	const { dimensions } = address.space;
	const db = openReader(task.file);
	const rowsFile = openSync(rowsPath, "w");
	const rows: Rows = { keys: [], graph: VectorGraph.empty(dimensions), twins: new DuplicateFinder(dimensions) };
	try {
		let last = 0;
		for (let page = pageAfter(db, address, last); page.length > 0; page = pageAfter(db, address, last)) {
			leaveWithParent(task.parent);
			last = page.at(-1)?.key ?? last;
			addPage(page, task, rows, rowsFile);
		}
		writeAll(rowsFile, rowsTail(rows.keys, rows.twins.pairs));
	} finally {
		closeSync(rowsFile);
		db.close();
	}
	return rows;
}

function addPage(page: readonly VectorRow[], { address, threads, withGraph }: BuildTask, rows: Rows, rowsFile: number): void {
	const { dimensions } = address.space;
	const block = new Int8Array(page.length * dimensions);
	const vectors = new Float32Array(page.length * dimensions);
	const inGraph: bigint[] = [];
	let count = 0;
	for (const { key, vector: bytes } of page) {
		const vector = soundVector(bytes, address.space);
		if (vector === null) continue;
		quantize(vector, block, count * dimensions);
		count += 1;
		const position = rows.keys.push(key) - 1;
		if (!withGraph || rows.twins.isDuplicate(vector, position)) continue;
		vectors.set(vector, inGraph.length * dimensions);
		inGraph.push(BigInt(key));
	}
	writeAll(rowsFile, new Uint8Array(block.buffer, 0, count * dimensions));
	if (inGraph.length > 0) rows.graph.add(BigUint64Array.from(inGraph), vectors.subarray(0, inGraph.length * dimensions), threads);
}

function writeAll(file: number, bytes: Uint8Array): void {
	for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** When the server was killed it cannot stop this process, and its result would not be used. */
function leaveWithParent(parent: number): void {
	if (process.ppid !== parent) process.exit(1);
}

function lowerPriority(): void {
	try {
		setPriority(niceness);
	} catch {
		// Not every system lets a process step back; it is a courtesy.
	}
}
