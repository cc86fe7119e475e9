/** A broken plugin: what is wrong with it, and which laws must catch it. */

export interface Mutant<Part> {
	readonly name: string;
	/** Names of laws; each must reject this mutant. */
	readonly laws: readonly string[];
	readonly start: () => Promise<Part>;
}
