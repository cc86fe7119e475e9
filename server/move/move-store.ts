/**
 * Moves a whole store: all rows, original files and secrets. While a server uses the source, everything is copied and compared. Once
 * nobody does, what was written since is copied, and the target becomes a store.
 */

import { countBlobs, type MovedBlobs, moveBlobs } from "./move-blobs.ts";
import { beginMove, catchUp, copyTables, endMove, finishEndedMove, notedSums, type Sums, verifyTables } from "./move-rows.ts";
import { moveSecrets } from "./move-secrets.ts";
import { type MovePlan, openMove } from "./open-move.ts";

export interface Progress {
	readonly onCopied: (done: number, total: number) => void;
	readonly onCompared: (done: number, total: number) => void;
	readonly onBlob: (done: number) => void;
}

export interface StoreMove {
	/** Whether the target is a store now. If not, a server uses the source. */
	readonly isEnded: boolean;
	readonly tables: Sums;
	/** Null if original files stay where they are. */
	readonly blobs: MovedBlobs | null;
	/** The data folder of the servers that will use the target. */
	readonly dataDir: string;
}

/** The log is read again until so few writes were left, but not for ever if there are always more. */
const fewWrites = 1_000;
const roundsMax = 5;

/** @throws ServiceError. Whatever it throws, the same move may be given again and goes on. */
export async function moveStore(plan: MovePlan, { onCopied, onCompared, onBlob }: Progress): Promise<StoreMove> {
	await using move = await openMove(plan);
	const { source, target, dataDir } = move;
	const ended = await finishEndedMove(move);
	if (ended !== null) return { isEnded: true, tables: ended, blobs: move.blobs && { blobs: await countBlobs(move.blobs.to), copied: 0 }, dataDir };
	const isServed = await source.isServed();
	await beginMove(move);
	await copyTables({ source, target, onProgress: onCopied });
	if ((await notedSums(target)) === null) {
		await catchUpToFew(move);
		await target.settle();
		await verifyTables({ source, target, onProgress: onCompared });
	}
	// What was written during the comparison is not left for the end.
	if (isServed) await catchUpToFew(move);
	const blobs = move.blobs === null ? null : await moveBlobs(move.blobs.from, move.blobs.to, onBlob);
	await moveSecrets(plan.settings.dataDir, dataDir);
	// A server may have been started meanwhile.
	if (isServed || (await source.isServed())) return { isEnded: false, tables: (await notedSums(target)) ?? {}, blobs, dataDir };
	return { isEnded: true, tables: await endMove(move), blobs, dataDir };
}

async function catchUpToFew(move: Parameters<typeof catchUp>[0]): Promise<void> {
	for (let rounds = 0, writes = fewWrites + 1; writes > fewWrites && rounds < roundsMax; rounds++) writes = await catchUp(move);
}
