/** Reads the chunks of one search: only those whose texts are needed, and each once. */

import type { Chunk } from "../model/chunk.ts";
import type { ChunkId } from "../model/id.ts";
import type { DocumentStore } from "../ports/document-store.ts";

export interface ChunkReader {
	readonly read: (ids: readonly ChunkId[]) => Promise<void>;
	/** Undefined for what was not read, or is gone. */
	readonly known: (id: ChunkId) => Chunk | undefined;
}

/** Read and compared at once: the store gives way to others in between. Thousands may be of one long document. */
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
