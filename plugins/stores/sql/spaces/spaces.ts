/** Vector spaces: reads here, writes by way of the writer. */

import type { EmbeddingSpaceStore, LackingText } from "cairn-memory";
import type { SqlEngine } from "../executor.ts";
import { lackingRows, lastKey } from "./lacking-texts.ts";
import { packVectors } from "./packed-vectors.ts";
import { spaceNames, spaceStateOf } from "./space-rows.ts";

/** Looked at in one call: 5 ms of the thread where none of them lacks a vector. */
const keysPerLook = 5_000;
/** Of one write, so that others get their turn: about 5 ms. */
const vectorsPerWrite = 100;

export function spaceStore({ statement, write }: SqlEngine): EmbeddingSpaceStore {
	return {
		state: async () => spaceStateOf(statement),
		names: async () => [...new Set(spaceNames(statement).map(({ space }) => space))].toSorted(),
		organisations: async (space, limit) => {
			const inSpace = spaceNames(statement).filter((partition) => partition.space === space);
			return [...new Set(inSpace.map(({ organisation }) => organisation))].slice(0, limit);
		},
		plan: (active, next) => write("planSpaces", { active, next }),
		advance: (space, progress) => write("advanceSpace", { space, progress }),
		lacking: async (space, after, limit) => {
			const texts: LackingText[] = [];
			const reached = { ...after };
			const last = { chunk: 0, memory: 0 };
			for (const kind of ["chunk", "memory"] as const) {
				last[kind] = lastKey(statement, kind);
				if (texts.length >= limit) continue;
				const upTo = Math.min(after[kind] + keysPerLook, last[kind]);
				const found = lackingRows(statement, kind, space, after[kind], upTo, limit - texts.length);
				reached[kind] = texts.length + found.length < limit ? Math.max(after[kind], upTo) : (found.at(-1)?.key ?? after[kind]);
				texts.push(...found.map(({ organisation, id, text }) => ({ kind, organisation, id, text })));
			}
			const all = last.chunk + last.memory;
			const share = all === 0 ? 1 : Math.min(1, (Math.min(reached.chunk, last.chunk) + Math.min(reached.memory, last.memory)) / all);
			return { texts, reached, share, isAtEnd: reached.chunk >= last.chunk && reached.memory >= last.memory };
		},
		backfill: async (space, made) => {
			for (let start = 0; start < made.length; start += vectorsPerWrite) {
				const part = made.slice(start, start + vectorsPerWrite);
				const vectors = packVectors(part.map(({ vector }) => vector));
				const texts = part.map(({ kind, organisation, id }) => ({ kind, organisation, id }));
				await write("backfillSpace", { space: space.name, texts, vectors }, [vectors.bytes.buffer]);
			}
		},
		switchTo: (space, lackingMax) => write("switchSpace", { space, lackingMax }),
		drop: (space, limit) => write("dropSpace", { space, limit }),
	};
}
