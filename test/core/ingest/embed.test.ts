/** Chunks are staged slice by slice while the next are embedded, and found when all of them are published. */

import { beforeEach, expect, test } from "bun:test";
import { asId, type Embedder, type OrganisationId } from "cairn-memory";
import type { ChunkId, Document, TenantStore } from "cairn-memory/stores";
import { embed, indexChunks } from "../../../core/ingest/embed-and-publish.ts";
import { receive } from "../../../core/ingest/receive.ts";
import type { ChunkedDocument } from "../../../core/ingest/stage-results.ts";
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

const embedder = (onBatch: (count: number, texts: readonly string[]) => void = () => undefined): Embedder => ({
	...parts.embedder,
	batchMax: 256,
	embed: async (texts, purpose, step) => {
		onBatch(texts.length, texts);
		return parts.embedder.embed(texts, purpose, step);
	},
});

function chunked(): ChunkedDocument {
	const chunks = Array.from({ length: count }, (_, position) => {
		const text = `the lamp number ${position}`;
		return { id: asId<ChunkId>(`chunk${position}`), document: document.id, revision: 1, position, text, indexedText: text, place: {} };
	});
	const extraction = { type: "text", title: null, description: null, language: null, text: "long", blocks: [], about: {} } as const;
	return { document, mediaType: "text/plain" as ChunkedDocument["mediaType"], extraction, chunks };
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
	await expect(embed(chunked(), embedder(), { ...tenant, documents }, createStep())).rejects.toThrow("the disk is full");
	const short = { ...chunked(), chunks: chunked().chunks.slice(0, 3) };
	const embedded = await embed(short, embedder(), { ...tenant, documents }, createStep());
	await expect(indexChunks(embedded, tenant, parts.world)).rejects.toThrow("the disk is full");
	expect(await tenant.documents.chunksOf(document.id)).toEqual([]);
});

test("texts of the published revision keep their vectors, and only new ones are embedded", async () => {
	const said = (texts: readonly string[], revision: number): ChunkedDocument => ({
		...chunked(),
		document: { ...document, revision, publishedRevision: revision > 1 ? 1 : null },
		chunks: texts.map((text, position) => ({
			...(chunked().chunks[0] as ChunkedDocument["chunks"][number]),
			id: asId<ChunkId>(`r${revision}c${position}`),
			revision,
			position,
			text,
			indexedText: text,
		})),
	});
	const asked: string[] = [];
	const watched = embedder((_count, texts) => asked.push(...texts));
	await indexChunks(await embed(said(["one", "two", "two"], 1), watched, tenant, createStep()), tenant, parts.world);
	expect(asked).toEqual(["one", "two"]);
	await tenant.documents.change(document.id, { content: { kind: "text", text: "more", mediaType: "text/plain" } }, parts.world.now(), null);
	await indexChunks(await embed(said(["two", "three", "one"], 2), watched, tenant, createStep()), tenant, parts.world);
	expect(asked).toEqual(["one", "two", "three"]);
	const published = await tenant.documents.chunksOf(document.id);
	const vectors = await tenant.vectors(parts.embedder.space).chunkVectors(published.map(({ id }) => id));
	const [expected = []] = await parts.embedder.embed(["two"], "document", createStep());
	expect([...(vectors.get(asId<ChunkId>("r2c0")) ?? [])]).toEqual([...expected]);
	const elsewhere: Embedder = { ...watched, space: { ...watched.space, name: "another" } };
	await embed(said(["two", "one"], 2), elsewhere, tenant, createStep());
	expect(asked.slice(3)).toEqual(["two", "one"]);
});
