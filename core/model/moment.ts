/** A memory has two times: when it was learnt, and when it was true. A search may ask about an earlier moment of either. */

export interface Moment {
	/** The search sees the memories, and their versions, that were known at this time. */
	readonly knownAt: Date;
	/** The search sees what was true at this time, according to what was known at `knownAt`. If null, it sees what was current at `knownAt`. */
	readonly trueAt: Date | null;
}

/**
 * Why a memory was absent for some time. `forgotten`: a client or a person forgot it. `expired`: its `forgetAfter` had passed; until
 * then it was still true. `removed`: its source had been removed. `final`: it had been forgotten for longer than that can be undone.
 */
export type AbsenceKind = "forgotten" | "expired" | "removed" | "final";

/** The moment that a request asks about; null if it asks about the present. */
export function momentOf(asOf: Date | null | undefined, trueAt: Date | null | undefined, now: Date): Moment | null {
	return asOf == null && trueAt == null ? null : { knownAt: asOf ?? now, trueAt: trueAt ?? null };
}

/** The `moment` property of a memory filter; absent if the moment is null. */
export function momentFilter(moment: Moment | null): { readonly moment?: Moment } {
	return moment === null ? {} : { moment };
}
