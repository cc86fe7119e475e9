/**
 * Removes the traces of documents that were deleted for good: in events, in cached responses of the language model, in the write-ahead
 * log, which has older versions of pages, and between the rows of pages. The rows themselves are overwritten by `secure_delete`.
 */

import { statSync } from "node:fs";
import { limits } from "cairn-memory";
import { yieldIfDue } from "cairn-memory/words";
import type { Executor, SqlEngine } from "../../sql/executor.ts";

/** Events per step: about 5 ms. */
const eventsPerStep = 5_000;
const responsesPerStep = 500;
/** Cached responses of the last hour are kept, because a document that is processed again after a crash asks the same questions. */
const keptResponsesMs = 60 * 60_000;
/** How often emptying the log is tried: a reader may prevent it. */
const emptyTries = 20;
const emptyPauseMs = 50;

export interface ErasureParts {
	/** The path of the database. */
	readonly file: string;
	readonly reads: Pick<Executor, "statement">;
	readonly client: Pick<SqlEngine, "write">;
	/** @returns whether the log is empty now. */
	readonly emptyLog: () => Promise<boolean>;
	/** @returns whether nothing is left between the rows. */
	readonly clearGaps: (signal: AbortSignal) => Promise<boolean>;
}

export interface Upkeep {
	readonly now: Date;
	readonly signal: AbortSignal;
	/** Whether removed documents were just deleted for good. */
	readonly hasSwept: boolean;
}

/** Returns a function for every run of the maintenance. Its first run also finds what was deleted before the start. */
export function createTraceEraser({ file, reads: { statement }, client: { write }, emptyLog, clearGaps }: ErasureParts): (upkeep: Upkeep) => Promise<void> {
	let checkedUntil = 0;
	let eraseResponsesUntil = 0;
	let mayHaveGaps = false;

	/** Runs in steps, because it runs in the thread that answers requests, and the first run checks all events. */
	async function isNewlyDeleted(): Promise<boolean> {
		const last = statement<{ last: number | null }>("SELECT max(sequence) AS last FROM events").get()?.last ?? 0;
		const sql = "SELECT 1 FROM events WHERE sequence > ? AND sequence <= ? AND type IN ('document.deleted', 'memory.deleted') LIMIT 1";
		let isFound = false;
		for (let from = checkedUntil; from < last && !isFound; from += eventsPerStep) {
			isFound = statement(sql).get(from, Math.min(last, from + eventsPerStep)) !== null;
			await yieldIfDue();
		}
		checkedUntil = last;
		return isFound;
	}

	async function eraseFromEvents(signal: AbortSignal): Promise<void> {
		for (let after: number | null = 0; after !== null && !signal.aborted; ) after = await write("eraseFromEvents", { after, limit: eventsPerStep });
	}

	async function eraseModelAnswers(now: Date, signal: AbortSignal): Promise<void> {
		const expiringBefore = new Date(now.getTime() + limits.modelAnswerRetentionMs - keptResponsesMs);
		while (!signal.aborted && (await write("eraseModelAnswers", { expiringBefore, limit: responsesPerStep })) === responsesPerStep);
	}

	async function emptyLogNow(signal: AbortSignal): Promise<void> {
		for (let i = 0; i < emptyTries && !signal.aborted; i++) {
			if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0 || (await emptyLog())) return;
			await new Promise((resolve) => setTimeout(resolve, emptyPauseMs));
		}
	}

	return async ({ now, signal, hasSwept }) => {
		const isNew = (await isNewlyDeleted()) || hasSwept;
		if (isNew) eraseResponsesUntil = now.getTime() + 2 * keptResponsesMs;
		if (isNew) await eraseFromEvents(signal);
		if (now.getTime() < eraseResponsesUntil) await eraseModelAnswers(now, signal);
		await emptyLogNow(signal);
		mayHaveGaps ||= isNew;
		if (mayHaveGaps) mayHaveGaps = !(await clearGaps(signal));
	};
}
