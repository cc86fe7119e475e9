/** Reads chunks for one search: only those whose texts are needed, and each of them once. */

import type { Chunk } from "../model/chunk.ts";
import type { ChunkId } from "../model/id.ts";
import type { DocumentStore } from "../ports/document-store.ts";

export interface ChunkReader {
	readonly read: (ids: readonly ChunkId[]) => Promise<void>;
	/** Undefined if the chunk was not read, or no longer exists. */
	readonly known: (id: ChunkId) => Chunk | undefined;
}

/** Page size. A long document may have thousands of chunks, and other requests run between two pages. */
const chunksAtOnce = 200;

export function createChunkReader({ chunks }: Pick<DocumentStore, "chunks">): ChunkReader {
	const read = new Map<ChunkId, Chunk | undefined>();
	return {
		read: async (ids) => {
			const wanted = ids.filter((id) => !read.has(id));
			for (let start = 0; start < wanted.length; start += chunksAtOnce) {
				const part = wanted.slice(start, start + chunksAtOnce);
				for (const id of part) read.set(id, undefined);
				for (const chunk of await chunks(part)) read.set(chunk.id, chunk);
			}
		},
		known: (id) => read.get(id),
	};
}
