/** Chunks are staged slice by slice while the next are embedded, and found when all of them are published. */

import { beforeEach, expect, test } from "bun:test";
import { asId, type ChunkId, type Document, type Embedder, type OrganisationId, type TenantStore } from "cairn-memory";
import { embed, indexChunks } from "../../../core/ingest/embed-and-publish.ts";
import type { Chunked } from "../../../core/ingest/hand-offs.ts";
import { receive } from "../../../core/ingest/receive.ts";
import type { Parts } from "../../../core/parts.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createStep } from "../../doubles/step.ts";
import { createTestWorld } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");
const count = 1_300;

let parts: Parts;
let tenant: TenantStore;
let document: Document;
/** In what order it came. */
let events: string[];

beforeEach(async () => {
	events = [];
	parts = createTestParts(createTestWorld());
	const inner = parts.storage.organisation(organisation);
	tenant = {
		...inner,
		documents: {
			...inner.documents,
			stage: async (id, revision, space, chunks) => {
				events.push(`stage ${chunks[0]?.chunk.position} to ${chunks.at(-1)?.chunk.position}`);
				return inner.documents.stage(id, revision, space, chunks);
			},
		},
	};
	const request = { customId: null, containerTags: ["home"], metadata: {}, filepath: null, taskType: "superrag", dreaming: "instant" } as const;
	document = await receive({ ...request, content: { kind: "text", text: "long", mediaType: "text/plain" } }, organisation, tenant, parts.world);
});

const embedder = (onBatch: (texts: number) => void = () => undefined): Embedder => ({
	...parts.embedder,
	batchMax: 256,
	embed: async (texts, purpose, step) => {
		onBatch(texts.length);
		return parts.embedder.embed(texts, purpose, step);
	},
});

function chunked(): Chunked {
	const chunks = Array.from({ length: count }, (_, position) => {
		const text = `the lamp number ${position}`;
		return { id: asId<ChunkId>(`chunk${position}`), document: document.id, revision: 1, position, text, indexedText: text, place: {} };
	});
	const extraction = { type: "text", title: null, description: null, language: null, text: "long", blocks: [], about: {} } as const;
	return { document, mediaType: "text/plain" as Chunked["mediaType"], extraction, chunks };
}

test("no more than a slice of vectors is held, and nothing is found before all is published", async () => {
	const step = createStep();
	const embedded = await embed(
		chunked(),
		embedder((texts) => events.push(`embed ${texts}`)),
		tenant,
		step,
	);
	expect(events.filter((event) => event.startsWith("stage"))).toEqual(["stage 0 to 511", "stage 512 to 1023", "stage 1024 to 1299"]);
	expect(events.indexOf("stage 0 to 511")).toBe(2);
	expect(await embedded.staged).toBe(true);
	expect(await tenant.documents.chunksOf(document.id)).toEqual([]);
	await indexChunks(embedded, tenant, parts.world);
	const published = await tenant.documents.chunksOf(document.id);
	expect(published.map(({ position }) => position)).toEqual(Array.from({ length: count }, (_, i) => i));
	expect((await tenant.vectors(parts.embedder.space).chunkVectors(published.map(({ id }) => id))).size).toBe(count);
});

test("how far it has come is told of the whole document", async () => {
	const told: number[] = [];
	const step = { ...createStep(), progress: ({ done, total }: { done: number; total: number }) => void (total === count && told.push(done)) };
	await embed(chunked(), embedder(), tenant, step);
	expect(told.at(-1)).toBe(count);
	expect(told).toEqual(told.toSorted((a, b) => a - b));
	expect(told.length).toBeGreaterThan(3);
});

test("a document that is changed meanwhile is not embedded to its end", async () => {
	let batches = 0;
	const changing = embedder(() => {
		batches += 1;
	});
	await tenant.documents.change(document.id, { content: { kind: "text", text: "other", mediaType: "text/plain" } }, parts.world.now(), null);
	await expect(embed(chunked(), changing, tenant, createStep())).rejects.toMatchObject({ code: "DOCUMENT_SUPERSEDED" });
	expect(batches).toBe(4);
	expect(events).toEqual(["stage 0 to 511"]);
});

test("what cannot be written is told by who publishes", async () => {
	const documents = { ...tenant.documents, stage: () => Promise.reject(new Error("the disk is full")) };
	await expect(embed(chunked(), embedder(), { documents }, createStep())).rejects.toThrow("the disk is full");
	const short = { ...chunked(), chunks: chunked().chunks.slice(0, 3) };
	const embedded = await embed(short, embedder(), { documents }, createStep());
	await expect(indexChunks(embedded, tenant, parts.world)).rejects.toThrow("the disk is full");
	expect(await tenant.documents.chunksOf(document.id)).toEqual([]);
});
