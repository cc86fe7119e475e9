/** Storages that tell an index too little, or of what is not to be seen. */

import type { VectorSource } from "cairn-memory/stores";
import { wholeOrganisation } from "cairn-memory/stores";
import type { StorageMutant } from "./spoil.ts";

function spoilSource(spoil: (source: VectorSource) => Partial<VectorSource>): StorageMutant["spoil"] {
	return (sound) => ({
		...sound,
		vectorSource: (organisation, space) => {
			const source = sound.vectorSource(organisation, space);
			return { ...source, ...spoil(source) };
		},
	});
}

export const sourceMutants: readonly StorageMutant[] = [
	{
		name: "tells the first page only",
		breaks: "vector source: from the beginning all published chunks are told, page by page",
		spoil: spoilSource(({ changesSince }) => ({
			changesSince: async (...asked) => {
				const changes = await changesSince(...asked);
				return changes === null ? null : { ...changes, isAtEnd: true };
			},
		})),
	},
	{
		name: "does not tell what has gone",
		breaks: "vector source: what has gone after a position is told by its id",
		spoil: spoilSource(({ changesSince }) => ({
			changesSince: async (...asked) => {
				const changes = await changesSince(...asked);
				return changes === null ? null : { ...changes, gone: [] };
			},
		})),
	},
	{
		name: "begins anew at a position it does not know",
		breaks: "vector source: a position of nowhere is refused",
		spoil: spoilSource(({ changesSince }) => ({
			changesSince: async (kind, position, limit) => (await changesSince(kind, position, limit)) ?? changesSince(kind, null, limit),
		})),
	},
	{
		name: "shows an index what is out of scope",
		breaks: "vector source: only what is published and in scope has a vector, and a place",
		spoil: spoilSource(({ chunksIn }) => ({ chunksIn: (ids) => chunksIn(ids, wholeOrganisation) })),
	},
];
