/**
 * The program that builds one vector index in a separate process, because a million vectors take seconds. It reads the tables, writes a
 * file beside the one in use, and prints what it has as JSON. The server then makes it the index, or removes it.
 */

import { closeSync, openSync, writeSync } from "node:fs";

import { soundVector } from "../../../sql/vectors.ts";
import { openReader } from "../../connection.ts";
import { exitIfOrphaned, runTask } from "../../index-files/build-process.ts";
import { readPieces } from "../../index-files/file-pieces.ts";
import { syncPath } from "../../index-files/index-files.ts";
import { quantize } from "../matrix/vector-matrix.ts";
import type { PartitionAddress } from "../partition-address.ts";
import { pageAfter, type VectorRow } from "../vector-tables.ts";
import type { BuildTask } from "./index-builder.ts";
import { checksumSeed, indexPaths } from "./index-folder.ts";
import type { BuiltIndex } from "./index-manifest.ts";
import { keysPart, rowsPieces } from "./rows-file.ts";

if (import.meta.main) await runTask(build);

async function build(task: BuildTask): Promise<BuiltIndex> {
	const { address, generation, folder } = task;
	const { dimensions } = address.space;
	const path = `${indexPaths(folder, address, generation).data}.tmp`;
	const keys = writeRows(task, path);
	await syncPath(path);
	const sizes = { rows: keys.length, dimensions };
	const rowsChecksum = await readPieces(path, rowsPieces(sizes), checksumSeed(address, generation));
	if (rowsChecksum === null) throw new Error("the file is shorter than what was written to it");
	return { ...sizes, lastKey: keys.at(-1) ?? 0, rowsChecksum };
}

/** Writes every valid vector. @returns their keys */
function writeRows(task: BuildTask, path: string): readonly number[] {
	const { address } = task;
	const db = openReader(task.file);
	const file = openSync(path, "w");
	const keys: number[] = [];
	try {
		let last = 0;
		for (let page = pageAfter(db, address, last); page.length > 0; page = pageAfter(db, address, last)) {
			exitIfOrphaned(task.parent);
			last = page.at(-1)?.key ?? last;
			writeAll(file, rowsOf(page, address.space, keys));
		}
		writeAll(file, keysPart(keys));
	} finally {
		closeSync(file);
		db.close();
	}
	return keys;
}

/** The rows of the valid vectors of a page, whose keys are added to `keys`. */
function rowsOf(page: readonly VectorRow[], space: PartitionAddress["space"], keys: number[]): Uint8Array {
	const block = new Int8Array(page.length * space.dimensions);
	let count = 0;
	for (const { key, vector: bytes } of page) {
		const vector = soundVector(bytes, space);
		if (vector === null) continue;
		quantize(vector, block, count++ * space.dimensions);
		keys.push(key);
	}
	return new Uint8Array(block.buffer, 0, count * space.dimensions);
}

function writeAll(file: number, bytes: Uint8Array): void {
	for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
