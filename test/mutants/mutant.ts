/** A broken plugin: what is wrong with it, and which contract tests must catch it. */

export interface Mutant<Part> {
	readonly name: string;
	/** Names of contract tests; each must reject this mutant. */
	readonly contractTests: readonly string[];
	readonly start: () => Promise<Part>;
}
