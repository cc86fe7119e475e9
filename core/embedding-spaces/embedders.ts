/** The available embedders, and the active one, whose vectors answer searches. */

import type { Embedder } from "../plugin/contract.ts";

export interface Embedders {
	/** May change between two calls: a caller that needs the same embedder twice stores the result. */
	readonly active: () => Embedder;
	/** Activates the embedder of this space. @returns false if there is none; then nothing changes. */
	readonly activate: (space: string) => boolean;
	readonly ofSpace: (space: string) => Embedder | null;
	readonly named: (name: string) => Embedder | null;
	readonly names: () => readonly string[];
	/** The embedder chosen in the settings. */
	readonly chosen: Embedder;
}

export function createEmbedders(all: readonly Embedder[], chosen: Embedder): Embedders {
	let active = chosen;
	// Several embedders may have the same space; the chosen one comes first.
	const ofSpace = (space: string) => [chosen, ...all].find((embedder) => embedder.space.name === space) ?? null;
	return {
		active: () => active,
		activate: (space) => {
			if (active.space.name === space) return true;
			const found = ofSpace(space);
			active = found ?? active;
			return found !== null;
		},
		ofSpace,
		named: (name) => all.find((embedder) => embedder.name === name) ?? null,
		names: () => all.map(({ name }) => name),
		chosen,
	};
}
