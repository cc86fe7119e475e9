/** A law: a promise that every plugin of a kind keeps, as data, so that any test runner can run it. */

export interface Law {
	readonly name: string;
	/** Resolves when the promise is kept, rejects with what was broken. */
	readonly check: () => Promise<void>;
}

export class LawBroken extends Error {
	override readonly name = "LawBroken";
}

/** Rejects with the words unless the claim holds. */
export function demand(claim: boolean, otherwise: string): asserts claim {
	if (!claim) throw new LawBroken(otherwise);
}
