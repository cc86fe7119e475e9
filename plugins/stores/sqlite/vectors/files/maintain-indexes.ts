/** Maintenance of the vector indexes: decides which partitions need a new index, and removes files that are no longer needed. */

import { yieldIfDue } from "cairn-memory/words";
import { isErasureDue } from "../../index-files/generation.ts";
import { sweepFolder } from "../../index-files/index-files.ts";
import { fileStem, type PartitionAddress, type VectorKind } from "../partition-address.ts";
import type { VectorPartition } from "../vector-partition.ts";
import { dimensionsOf, keysAfter, nextPartition } from "../vector-tables.ts";
import type { VectorsContext } from "../vectors-context.ts";
import { buildIndex } from "./index-builder.ts";
import { indexPaths, removeIndex, storedManifest } from "./index-folder.ts";
import type { IndexManifest } from "./index-manifest.ts";

/** An index with a larger share of dead rows (of deleted vectors) is rebuilt, because they take time and memory. */
const deadShareMax = 1 / 3;

/** @param open returns the partition if it was searched lately, so that it uses the new index at once; otherwise null. */
export function createMaintenance(
	context: VectorsContext,
	open: (address: PartitionAddress) => VectorPartition | null,
): (signal: AbortSignal) => Promise<void> {
	/** The state (epoch and generation) in which each partition last needed nothing. While it has not changed, it is not checked again. */
	const upToDate = new Map<string, string>();
	return async (signal) => {
		const stems = new Set<string>();
		for await (const address of storedPartitions(context)) {
			if (signal.aborted) return;
			const stem = fileStem(address);
			stems.add(stem);
			const epoch = context.epoch();
			const generation = (await storedManifest(context.folder, address))?.generation;
			const now = `${epoch} ${generation}`;
			if (upToDate.get(stem) === now) continue;
			await open(address)?.markDeadRows();
			if (!context.canBuild || (await maintainPartition(address, context, open, signal))) upToDate.set(stem, now);
		}
		for (const stem of upToDate.keys()) if (!stems.has(stem)) upToDate.delete(stem);
		if (context.canBuild && !signal.aborted) await sweepFolder(context.folder, (stem) => stems.has(stem));
	};
}

/** @returns whether there was nothing to build. */
async function maintainPartition(
	address: PartitionAddress,
	context: VectorsContext,
	open: (address: PartitionAddress) => VectorPartition | null,
	signal: AbortSignal,
): Promise<boolean> {
	const { file, folder, log } = context;
	const action = await actionFor(address, context);
	if (action === "remove") await removeIndex(folder, address);
	if (action !== "build") return action !== "wait";
	if (await buildIndex({ file, folder, address }, signal, log)) await open(address)?.renew();
	return false;
}

async function* storedPartitions(context: VectorsContext): AsyncGenerator<PartitionAddress> {
	for (const kind of ["chunk", "memory"] as const satisfies readonly VectorKind[]) {
		for (let stored = nextPartition(context.scans(), kind, null); stored; stored = nextPartition(context.scans(), kind, stored)) {
			const dimensions = dimensionsOf(context.scans(), kind, stored);
			if (dimensions > 0) yield { kind, organisation: stored.organisation, space: { name: stored.space, dimensions } };
			const pause = yieldIfDue();
			if (pause !== null) await pause;
		}
	}
}

/** What an index needs. It counts rows page by page, because their number is not stored, and counting a million at once takes too long. */
async function actionFor(address: PartitionAddress, context: VectorsContext): Promise<"build" | "keep" | "remove" | "wait"> {
	const { tailMin, tailShare, wholeMax } = context.limits;
	const manifest: IndexManifest | null = await storedManifest(context.folder, address);
	let covered = 0;
	let tail = 0;
	for (let keys = keysAfter(context.scans(), address, 0); keys.length > 0; keys = keysAfter(context.scans(), address, keys.at(-1) ?? 0)) {
		for (const key of keys) {
			if (manifest && key <= manifest.lastKey) covered += 1;
			else tail += 1;
		}
		const pause = yieldIfDue();
		if (pause !== null) await pause;
	}
	if (covered + tail <= wholeMax) return manifest ? "remove" : "keep";
	const isOld = manifest === null || tail > Math.max(tailMin, tailShare * covered) || covered < manifest.rows * (1 - deadShareMax);
	if (isOld) return "build";
	if (covered >= manifest.rows) return "keep";
	// The file still has a vector that was deleted.
	return (await isErasureDue(manifest.generation, indexPaths(context.folder, address, "").manifest)) ? "build" : "wait";
}
