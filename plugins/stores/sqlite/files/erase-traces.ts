/**
 * After a deletion is final: what tells of it elsewhere goes, and the log of writes is emptied, since it holds pages as they
 * were before. In the tables themselves `secure_delete` overwrites what goes.
 */

import { statSync } from "node:fs";
import { limits } from "cairn-memory";
import type { Executor, SqlEngine } from "../../sql/executor.ts";
import { createYielder } from "../vectors/yielder.ts";

/** Looked through in about 5 ms. */
const eventsAtOnce = 5_000;
const answersAtOnce = 500;
/** A document in process asks again what it has asked before an end of the process; this is long enough for that. */
const answersSpareMs = 60 * 60_000;
/** A reader at that moment keeps the log from being emptied. */
const emptyTries = 20;
const emptyPauseMs = 50;

export interface ErasureParts {
	/** The database. */
	readonly file: string;
	readonly reads: Pick<Executor, "statement">;
	readonly client: Pick<SqlEngine, "write">;
	/** @returns whether it is empty. */
	readonly emptyLog: () => Promise<boolean>;
}

export interface Upkeep {
	readonly now: Date;
	readonly signal: AbortSignal;
	/** Whether documents have just gone whose time to come back was over. */
	readonly hasSwept: boolean;
}

/** @returns what is done in every upkeep; what was deleted before the start is looked for in the first. */
export function tracesEraser({ file, reads: { statement }, client: { write }, emptyLog }: ErasureParts): (upkeep: Upkeep) => Promise<void> {
	let lookedAt = 0;
	let answersUntil = 0;

	/** Step by step, since this runs where requests are answered, and after a start all events are looked at. */
	async function isNewlyDeleted(): Promise<boolean> {
		const last = statement<{ last: number | null }>("SELECT max(sequence) AS last FROM events").get()?.last ?? 0;
		const sql = "SELECT 1 FROM events WHERE sequence > ? AND sequence <= ? AND type IN ('document.deleted', 'memory.deleted') LIMIT 1";
		const yielder = createYielder();
		let isFound = false;
		for (let from = lookedAt; from < last && !isFound; from += eventsAtOnce) {
			isFound = statement(sql).get(from, Math.min(last, from + eventsAtOnce)) !== null;
			await yielder.yieldIfDue();
		}
		lookedAt = last;
		return isFound;
	}

	async function eraseFromEvents(signal: AbortSignal): Promise<void> {
		for (let after: number | null = 0; after !== null && !signal.aborted; ) after = await write("eraseFromEvents", { after, limit: eventsAtOnce });
	}

	async function eraseModelAnswers(now: Date, signal: AbortSignal): Promise<void> {
		const expiringBefore = new Date(now.getTime() + limits.modelAnswerRetentionMs - answersSpareMs);
		while (!signal.aborted && (await write("eraseModelAnswers", { expiringBefore, limit: answersAtOnce })) === answersAtOnce);
	}

	async function emptyTheLog(signal: AbortSignal): Promise<void> {
		for (let i = 0; i < emptyTries && !signal.aborted; i++) {
			if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0 || (await emptyLog())) return;
			await new Promise((resolve) => setTimeout(resolve, emptyPauseMs));
		}
	}

	return async ({ now, signal, hasSwept }) => {
		const isNew = (await isNewlyDeleted()) || hasSwept;
		if (isNew) answersUntil = now.getTime() + 2 * answersSpareMs;
		if (isNew) await eraseFromEvents(signal);
		if (now.getTime() < answersUntil) await eraseModelAnswers(now, signal);
		await emptyTheLog(signal);
	};
}
