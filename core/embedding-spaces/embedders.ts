/** The available embedders, and the active one, whose vectors answer searches. */

import type { Embedder } from "../plugin/contract.ts";

export interface Embedders {
	/** The next call may return another embedder: a caller that needs the same one twice keeps it. */
	readonly active: () => Embedder;
	/** Activates the embedder of this space. @returns false when there is none; then nothing changes. */
	readonly adopt: (space: string) => boolean;
	readonly ofSpace: (space: string) => Embedder | null;
	readonly named: (name: string) => Embedder | null;
	readonly names: () => readonly string[];
	/** The one that the settings name. */
	readonly chosen: Embedder;
}

export function createEmbedders(all: readonly Embedder[], chosen: Embedder): Embedders {
	let active = chosen;
	// The embedder that is named comes before another one of the same space.
	const ofSpace = (space: string) => [chosen, ...all].find((embedder) => embedder.space.name === space) ?? null;
	return {
		active: () => active,
		adopt: (space) => {
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
