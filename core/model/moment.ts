/** A memory has two times: when it was learnt, and when it was true. A search may ask about an earlier moment of either. */

import type { Memory } from "./memory.ts";

export interface Moment {
	/** What was known at this time, in the versions of then. */
	readonly knownAt: Date;
	/** What was true at this time, as far as it is known at `knownAt`. Null asks for what was current at `knownAt`. */
	readonly trueAt: Date | null;
}

/**
 * Why a memory was away for a time. `forgotten`: somebody had it forgotten. `expired`: its `forgetAfter` had passed, so it
 * was still so before. `removed`: its source had been removed.
 */
export type AbsenceKind = "forgotten" | "expired" | "removed";

/** Which moment a request asks for; null when for what is current. */
export function momentOf(asOf: Date | null | undefined, trueAt: Date | null | undefined, now: Date): Moment | null {
	return asOf == null && trueAt == null ? null : { knownAt: asOf ?? now, trueAt: trueAt ?? null };
}

/** As a memory filter has it: absent when there is none. */
export function inTime(moment: Moment | null): { readonly moment?: Moment } {
	return moment === null ? {} : { moment };
}

/** The time from which a memory is true: the day it speaks of, else the day its source states, else when it was learnt. */
export function trueFrom({ eventTime, saidAt, createdAt }: Pick<Memory, "eventTime" | "saidAt" | "createdAt">): Date {
	return eventTime ?? saidAt ?? createdAt;
}
