/** Original files of documents that can no longer be restored go with the rows, however many they are. */

import { expect, test } from "bun:test";
import { asId, searchable } from "cairn-memory";
import type { Document, RemovalId } from "cairn-memory/stores";
import { ramBlobs } from "../../../plugins/stores/ram/blobs.ts";
import { ramRecords } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleOrganisation } from "../../contract/samples.ts";
import { createTestWorld } from "../../doubles/world.ts";

const removal = asId<RemovalId>("r");

async function* bytes() {
	yield new TextEncoder().encode("original");
}

test("a bulk deletion of most documents keeps no original file beyond its undo period, but one that another document has", async () => {
	const world = createTestWorld();
	const samples = createSamples(1);
	const bucket = ramBlobs(world);
	const storage = searchable(ramRecords(world.now), bucket, world);
	await storage.migrate();
	const { documents, removals, blobs } = storage.organisation(sampleOrganisation);
	const add = async (blob: string): Promise<Document> => {
		await blobs.put(blob, bytes(), 100);
		const content = { kind: "file", fileName: "a.txt", claimedMediaType: "text/plain", byteLength: 8, sha256: "", blob } as const;
		const document = { ...samples.makeDocument({ customId: null }), content };
		expect(await documents.add(document, null)).toBe(true);
		return document;
	};
	const deleted: Document[] = [];
	for (let i = 0; i < 150; i++) deleted.push(await add(`deleted-${i}`));
	await add("kept");
	await add("deleted-7");
	const expiresAt = new Date(world.now().getTime() + 1_000);
	for (const { id } of deleted) await removals.setAside(id, removal, expiresAt, world.now());
	await storage.maintain(new AbortController().signal);
	expect((await Array.fromAsync(bucket.list())).length).toBe(151);
	world.advance(2_000);
	await storage.maintain(new AbortController().signal);
	expect((await Array.fromAsync(bucket.list())).map(({ key }) => key).toSorted()).toEqual(["deleted-7", "kept"]);
});
