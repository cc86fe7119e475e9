/** What a copy that was made within some time may hold, and whether it holds all of one moment: nothing later, and nothing earlier missing. */

import { type History, historyAt, type Known } from "./history.ts";

/** What was acknowledged at its beginning; of what was begun until its end anything may be in it. */
export function historyWithin(history: History, { from, to }: { readonly from: number; readonly to: number }): History {
	const past = historyAt(history, from);
	for (const { known, word, isAcknowledged, at } of history.log)
		if (!isAcknowledged && at > from && at <= to) (past.documents.get(known.name) ?? past.memories.get(known.name))?.unsure.add(word);
	return past;
}

interface Write {
	readonly word: string | null;
	readonly begun: number;
	/** Infinite for one that was never acknowledged. */
	acknowledged: number;
}

/**
 * @param stored the word of each document and memory in the copy
 * @returns the two writes that contradict each other: one is in the copy and began after the other, which is not in it, was acknowledged
 */
export function momentFault(history: History, stored: History): string | null {
	let [latest, earliest] = [
		{ begun: 0, name: "" },
		{ acknowledged: Number.POSITIVE_INFINITY, name: "" },
	];
	for (const [known, writes] of writesOf(history)) {
		const word = (stored.documents.get(known.name) ?? stored.memories.get(known.name))?.word ?? null;
		// One that is not there may be deleted already, or not added yet.
		const last = word === null ? null : writes.findLastIndex((write) => write.word === word);
		const [included, missing] = last === null ? onlyOne(writes) : [writes[last], writes[last + 1]];
		if (included !== undefined && included.begun > latest.begun) latest = { begun: included.begun, name: known.name };
		if (missing !== undefined && missing.acknowledged < earliest.acknowledged) earliest = { acknowledged: missing.acknowledged, name: known.name };
	}
	if (latest.begun <= earliest.acknowledged) return null;
	return `the copy is of no single moment: it holds ${latest.name} as begun ${latest.begun - earliest.acknowledged} ms after ${earliest.name}, which it lacks, was acknowledged`;
}

/** Of what is not there and was only added, that write is missing. */
function onlyOne(writes: readonly Write[]): readonly [Write | undefined, Write | undefined] {
	return [undefined, writes.length === 1 ? writes[0] : undefined];
}

/** Writes of one document or memory follow each other. */
function writesOf({ log }: History): ReadonlyMap<Known, Write[]> {
	const all = new Map<Known, Write[]>();
	for (const { known, word, isAcknowledged, at } of log) {
		const writes = all.get(known) ?? [];
		all.set(known, writes);
		const last = writes.at(-1);
		if (!isAcknowledged) writes.push({ word, begun: at, acknowledged: Number.POSITIVE_INFINITY });
		else if (last !== undefined) last.acknowledged = at;
	}
	return all;
}
