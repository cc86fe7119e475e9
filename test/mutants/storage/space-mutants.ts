/** Storages that switch to a space with holes, forget what lacks, or write over what is there. */

import type { EmbeddingSpaceStore } from "cairn-memory/stores";
import type { StorageMutant } from "./spoil.ts";

function spoilSpaces(spoil: (spaces: EmbeddingSpaceStore) => Partial<EmbeddingSpaceStore>): StorageMutant["spoil"] {
	return (sound) => ({ ...sound, spaces: { ...sound.spaces, ...spoil(sound.spaces) } });
}

export const spaceMutants: readonly StorageMutant[] = [
	{
		name: "switches to a space with holes",
		breaks: "spaces: the switch waits until nothing lacks, or no more than is allowed",
		spoil: spoilSpaces((spaces) => ({ switchTo: (space) => spaces.switchTo(space, 1_000_000) })),
	},
	{
		name: "forgets memories that lack a vector",
		breaks: "spaces: every text that lacks a vector is told once, page by page, of all organisations",
		spoil: spoilSpaces((spaces) => ({
			lacking: async (space, after, limit) => {
				const found = await spaces.lacking(space, after, limit);
				return { ...found, texts: found.texts.filter(({ kind }) => kind === "chunk") };
			},
		})),
	},
	{
		name: "loses what it is told to fill",
		breaks: "spaces: a filled text is found in its space and lacks there no more; what it has stays",
		spoil: spoilSpaces((spaces) => ({ backfill: (space, vectors) => spaces.backfill(space, vectors.slice(1)) })),
	},
	{
		name: "takes the progress of any space for the next one's",
		breaks: "spaces: progress is noted for the next space only",
		spoil: spoilSpaces((spaces) => ({ advance: async (_space, progress) => spaces.advance((await spaces.state()).next ?? "", progress) })),
	},
	{
		name: "gives the dimensions of any space",
		breaks: "spaces: a filled text is found in its space and lacks there no more; what it has stays",
		spoil: spoilSpaces((spaces) => ({ dimensionsOf: async (space, organisation) => spaces.dimensionsOf((await spaces.names())[0] ?? space, organisation) })),
	},
	{
		name: "gives the dimensions of any organisation",
		breaks: "spaces: two organisations may have vectors of different dimensions in a space of one name",
		spoil: spoilSpaces((spaces) => ({
			dimensionsOf: async (space, organisation) => spaces.dimensionsOf(space, (await spaces.organisations(space, 1))[0] ?? organisation),
		})),
	},
	{
		name: "drops one vector too few",
		breaks: "spaces: a dropped space has no vectors; the active and the next one cannot be dropped",
		spoil: spoilSpaces((spaces) => ({ drop: async () => spaces.names().then(() => 0) })),
	},
];
