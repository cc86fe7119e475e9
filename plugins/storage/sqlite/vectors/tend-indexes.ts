/** Upkeep of the index files: which rooms need a new one, and which files nobody needs. */

import { isErasureDue } from "../generation.ts";
import { createBreather } from "./breather.ts";
import { buildIndex } from "./index-builder.ts";
import { indexPaths, removeIndex, storedClaims, sweepFolder } from "./index-folder.ts";
import type { IndexClaims } from "./index-manifest.ts";
import { fileStem, type RoomAddress, type VectorKind } from "./room-address.ts";
import type { VectorRoom } from "./vector-room.ts";
import { dimensionsOf, keysAfter, nextRoom } from "./vector-tables.ts";
import type { VectorsContext } from "./vectors-context.ts";

/** An index with more dead rows than this share is built anew: a search passes them by, and they take memory. */
const deadShareMax = 1 / 3;

/** @param open the room, when it was searched lately: it takes the new index at once. */
export function createTending(context: VectorsContext, open: (address: RoomAddress) => VectorRoom | null): (signal: AbortSignal) => Promise<void> {
	/** What was the case when a room was last found in order: while it is, looking again is needless. */
	const inOrder = new Map<string, string>();
	return async (signal) => {
		const stems = new Set<string>();
		for await (const address of storedRooms(context)) {
			if (signal.aborted) return;
			const stem = fileStem(address);
			stems.add(stem);
			const epoch = context.epoch();
			const generation = (await storedClaims(context.folder, address))?.generation;
			const now = `${epoch} ${generation}`;
			if (inOrder.get(stem) === now) continue;
			await open(address)?.census();
			if (!context.canBuild || (await tendRoom(address, context, open, signal))) inOrder.set(stem, now);
		}
		if (context.canBuild && !signal.aborted) await sweepFolder(context.folder, (stem) => stems.has(stem));
	};
}

/** @returns whether there was nothing to build. */
async function tendRoom(
	address: RoomAddress,
	context: VectorsContext,
	open: (address: RoomAddress) => VectorRoom | null,
	signal: AbortSignal,
): Promise<boolean> {
	const { file, folder, log } = context;
	const { worth, withGraph } = await worthOf(address, context);
	if (worth === "needless") await removeIndex(folder, address, null);
	if (worth !== "build") return worth !== "waiting";
	if (await buildIndex({ file, folder, address, withGraph }, signal, log)) await open(address)?.renew();
	return false;
}

async function* storedRooms(context: VectorsContext): AsyncGenerator<RoomAddress> {
	const breather = createBreather();
	for (const kind of ["chunk", "memory"] as const satisfies readonly VectorKind[]) {
		for (let stored = nextRoom(context.scans(), kind, null); stored; stored = nextRoom(context.scans(), kind, stored)) {
			const dimensions = dimensionsOf(context.scans(), kind, stored);
			if (dimensions > 0) yield { kind, organisation: stored.organisation, space: { name: stored.space, dimensions } };
			const pause = breather.breathe();
			if (pause) await pause;
		}
	}
}

/** Counts page by page: the number of rows is not written anywhere, and counting a million at once takes too long. */
async function worthOf(
	address: RoomAddress,
	context: VectorsContext,
): Promise<{ readonly worth: "build" | "fresh" | "needless" | "waiting"; readonly withGraph: boolean }> {
	const { graphMin, tailMin, tailShare, wholeMax } = context.limits;
	const claims: IndexClaims | null = await storedClaims(context.folder, address);
	const breather = createBreather();
	let covered = 0;
	let tail = 0;
	for (let keys = keysAfter(context.scans(), address, 0); keys.length > 0; keys = keysAfter(context.scans(), address, keys.at(-1) ?? 0)) {
		for (const key of keys) {
			if (claims && key <= claims.lastKey) covered += 1;
			else tail += 1;
		}
		const pause = breather.breathe();
		if (pause) await pause;
	}
	const withGraph = covered + tail > graphMin;
	if (covered + tail <= wholeMax) return { worth: claims ? "needless" : "fresh", withGraph };
	const isOld = claims === null || tail > Math.max(tailMin, tailShare * covered) || covered < claims.rows * (1 - deadShareMax);
	const lacksGraph = withGraph && claims?.graphRows === 0;
	if (isOld || lacksGraph) return { worth: "build", withGraph };
	if (covered >= claims.rows) return { worth: "fresh", withGraph };
	// A vector that was deleted is still in the file.
	const isDue = await isErasureDue(claims.generation, indexPaths(context.folder, address, "").manifest);
	return { worth: isDue ? "build" : "waiting", withGraph };
}
