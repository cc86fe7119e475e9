/** A contract test: a promise that every plugin of a kind keeps, as data, so that any test runner can run it. */

export interface ContractTest {
	readonly name: string;
	/** Resolves when the promise is kept, rejects with what was broken. */
	readonly check: () => Promise<void>;
}

export class ContractBroken extends Error {
	override readonly name = "ContractBroken";
}

/** Rejects with the words unless the claim holds. */
export function demand(claim: boolean, otherwise: string): asserts claim {
	if (!claim) throw new ContractBroken(otherwise);
}
