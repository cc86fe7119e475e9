/**
 * The program that builds one vector index in a separate process, because adding a vector to a graph blocks for milliseconds, and a
 * crash must not end the server. It reads the tables, writes two files beside the index in use, and prints what they have as JSON. The
 * server then makes them the index, or removes them.
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

/** The priority of the process: searches come first. */
const niceness = 10;

interface Rows {
	readonly keys: number[];
	readonly graph: VectorGraph;
	readonly duplicates: DuplicateFinder;
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
	const { keys, graph, duplicates } = readAll(task, rowsPath);
	graph.save(graphPath);
	await syncPath(graphPath);
	await syncPath(rowsPath);
	const sizes = { rows: keys.length, twins: duplicates.count, dimensions };
	const seed = checksumSeed(address, generation);
	const graphBytes = statSync(graphPath).size;
	const graphChecksum = await readPieces(graphPath, piecesOf(0, graphBytes), seed);
	const rowsChecksum = await readPieces(rowsPath, rowsPieces(sizes), seed);
	if (graphChecksum === null || rowsChecksum === null) throw new Error("a file is shorter than what was written to it");
	return { ...sizes, lastKey: keys.at(-1) ?? 0, graphRows: graph.size, graphBytes, graphChecksum, rowsChecksum };
}

/** Writes every valid vector to the rows file and, if a graph is wanted, adds it to the graph unless it is a duplicate. */
function readAll(task: BuildTask, rowsPath: string): Rows {
	const { address } = task;
	const { dimensions } = address.space;
	const db = openReader(task.file);
	const rowsFile = openSync(rowsPath, "w");
	const rows: Rows = { keys: [], graph: VectorGraph.empty(dimensions), duplicates: new DuplicateFinder(dimensions) };
	try {
		let last = 0;
		for (let page = pageAfter(db, address, last); page.length > 0; page = pageAfter(db, address, last)) {
			exitIfOrphaned(task.parent);
			last = page.at(-1)?.key ?? last;
			addPage(page, task, rows, rowsFile);
		}
		writeAll(rowsFile, rowsTail(rows.keys, rows.duplicates.pairs));
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
		if (!withGraph || rows.duplicates.isDuplicate(vector, position)) continue;
		vectors.set(vector, inGraph.length * dimensions);
		inGraph.push(BigInt(key));
	}
	writeAll(rowsFile, new Uint8Array(block.buffer, 0, count * dimensions));
	if (inGraph.length > 0) rows.graph.add(BigUint64Array.from(inGraph), vectors.subarray(0, inGraph.length * dimensions), threads);
}

function writeAll(file: number, bytes: Uint8Array): void {
	for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** Ends this process if the server was killed: then nobody would use its result. */
function exitIfOrphaned(parent: number): void {
	if (process.ppid !== parent) process.exit(1);
}

function lowerPriority(): void {
	try {
		setPriority(niceness);
	} catch {
		// Not every system lets a process lower its priority; the build works without it.
	}
}
