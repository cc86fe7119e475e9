/** Removes what other tables still have of documents that were deleted for good: in events, and in cached responses of the language model. */

import { limits } from "cairn-memory";
import { yieldIfDue } from "cairn-memory/words";
import type { Program, SqlEngine } from "./executor.ts";

/** Events per step: about 5 ms. */
const eventsPerStep = 5_000;
const responsesPerStep = 500;
/** Cached responses of the last hour are kept, because a document that is processed again after a crash asks the same questions. */
const keptResponsesMs = 60 * 60_000;

export interface Upkeep {
	readonly now: Date;
	readonly signal: AbortSignal;
	/** Whether removed documents were just deleted for good. */
	readonly hasSwept: boolean;
}

/** @returns whether something was deleted since the call before. The first call also finds what was deleted before the start. */
export type TextEraser = (upkeep: Upkeep) => Promise<boolean>;

/** Returns a function for every run of the maintenance. */
export function createTextEraser({ statement, read, write }: Pick<SqlEngine, "statement" | "read" | "write">): TextEraser {
	let checkedUntil = 0;
	let eraseResponsesUntil = 0;

	function* lastEvent(): Program<number> {
		return (yield* statement<{ last: number | null }>("SELECT max(sequence) AS last FROM events").get())?.last ?? 0;
	}

	function* isDeletedWithin(after: number, until: number): Program<boolean> {
		const sql = "SELECT 1 FROM events WHERE sequence > ? AND sequence <= ? AND type IN ('document.deleted', 'memory.deleted') LIMIT 1";
		return (yield* statement(sql).get(after, until)) !== null;
	}

	/** Runs in steps, because it may run in the thread that answers requests, and the first run checks all events. */
	async function isNewlyDeleted(): Promise<boolean> {
		const last = await read(lastEvent());
		let isFound = false;
		for (let from = checkedUntil; from < last && !isFound; from += eventsPerStep) {
			isFound = await read(isDeletedWithin(from, Math.min(last, from + eventsPerStep)));
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

	return async ({ now, signal, hasSwept }) => {
		const isNew = (await isNewlyDeleted()) || hasSwept;
		if (isNew) eraseResponsesUntil = now.getTime() + 2 * keptResponsesMs;
		if (isNew) await eraseFromEvents(signal);
		if (now.getTime() < eraseResponsesUntil) await eraseModelAnswers(now, signal);
		return isNew;
	};
}
