/** Which memories were known, or so, at another time, and what is written down for that. */

import { type AbsenceKind, type Memory, type MemoryId, type Moment, trueFrom } from "cairn-memory";
import type { Tables } from "./tables.ts";

export function leave({ absences }: Tables, memory: MemoryId, kind: AbsenceKind, begins: Date, ends: Date | null = null): void {
	absences.set(memory, [...(absences.get(memory) ?? []), { kind, begins, ends }]);
}

export function comeBack({ absences }: Tables, memory: MemoryId, now: Date): void {
	const closed = absences.get(memory)?.map((absence) => (absence.ends === null ? { ...absence, ends: now } : absence));
	if (closed !== undefined) absences.set(memory, closed);
}

export function wasThere(memory: Memory, { knownAt, trueAt }: Moment, tables: Tables): boolean {
	const until = trueAt ?? knownAt;
	const newer = newerThan(memory.id, tables);
	if (memory.createdAt > knownAt || (!memory.isLatest && newer.length === 0)) return false;
	if ((memory.forgetAfter !== null && memory.forgetAfter <= until) || (trueAt !== null && trueFrom(memory) > trueAt)) return false;
	if (isAway(memory.id, knownAt, tables, (kind) => trueAt === null || kind !== "expired")) return false;
	return !newer.some((other) => {
		if (other.createdAt > knownAt || (trueAt !== null && trueFrom(other) > trueAt)) return false;
		// What was forgotten or had expired before it was removed had said its last word.
		const isRemoved = isAway(other.id, knownAt, tables, (kind) => kind === "removed");
		if (other.forgetAfter !== null && other.forgetAfter <= knownAt) return true;
		return !isRemoved || isAway(other.id, knownAt, tables, (kind) => kind !== "removed");
	});
}

/** All that came after, not only the next: that one may have been removed at the time. */
function newerThan(id: MemoryId, { memories, edges }: Tables): readonly Memory[] {
	const found = new Map<MemoryId, Memory>();
	for (let frontier = [id]; frontier.length > 0; ) {
		const next = edges.filter(({ to, relation }) => relation === "updates" && frontier.includes(to)).flatMap(({ from }) => memories.get(from)?.memory ?? []);
		frontier = next.filter((memory) => !found.has(memory.id)).map((memory) => memory.id);
		for (const memory of next) found.set(memory.id, memory);
	}
	return [...found.values()];
}

function isAway(id: MemoryId, at: Date, { absences }: Tables, counts: (kind: AbsenceKind) => boolean): boolean {
	return (absences.get(id) ?? []).some(({ kind, begins, ends }) => counts(kind) && begins <= at && (ends === null || ends > at));
}
