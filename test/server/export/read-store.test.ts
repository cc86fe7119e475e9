/** Documents that are changed or deleted while they are exported from a database that goes on changing. */

import { expect, test } from "bun:test";
import type { Chunk } from "cairn-memory";
import type { Document } from "cairn-memory/stores";
import type { BodyLine } from "../../../server/export/lines.ts";
import { documentLines } from "../../../server/export/read-store.ts";
import { createSamples } from "../../contract/samples.ts";

const samples = createSamples(3);
const file = { kind: "file", blob: "blob-1", filename: "a.txt", mediaType: "text/plain" } as never;
const made = samples.makeDocument({ status: "done", revision: 1, publishedRevision: 1 });

/** Answers the states in turn, the last one again and again, with a chunk that says which one it is of. */
function changing(states: readonly (Document | null)[], bytes: Uint8Array | null = null) {
	let asked = 0;
	const current = () => states[Math.min(asked, states.length - 1)] ?? null;
	return {
		documents: {
			get: async () => {
				const state = current();
				asked++;
				return state;
			},
			chunksAt: async (): Promise<readonly Chunk[]> => [samples.makeChunk(made, { position: 0, text: `after ${asked} reads` })],
		},
		blobs: { get: async () => bytes },
	};
}
const all = (store: ReturnType<typeof changing>): Promise<BodyLine[]> => Array.fromAsync(documentLines(made.id, store));
const later = (seconds: number): Document => ({ ...made, updatedAt: new Date(made.updatedAt.getTime() + seconds * 1_000) });

test("a document that is changed while it is read is read again", async () => {
	const lines = await all(changing([made, later(1), later(1)]));
	expect(lines.map(({ type }) => type)).toEqual(["document", "chunk"]);
	expect(lines[1]).toMatchObject({ text: "after 3 reads" });
});

test("one that is deleted meanwhile is left out, also when its original went first", async () => {
	expect(await all(changing([made, null]))).toEqual([]);
	expect(await all(changing([{ ...made, content: file }, null]))).toEqual([]);
});

test("one that never rests is taken as it is", async () => {
	expect(await all(changing(Array.from({ length: 100 }, (_, i) => later(i))))).toHaveLength(2);
});

test("an original that is missing ends the export", async () => {
	await expect(all(changing([{ ...made, content: file }]))).rejects.toMatchObject({ code: "STORAGE_DAMAGED" });
});
