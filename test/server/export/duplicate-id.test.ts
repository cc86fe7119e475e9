/** An id that belongs to something else is recognised by the error of each database, in its own words. */

import { afterAll, expect, test } from "bun:test";
import { postgresStorage } from "../../../plugins/stores/postgres/storage.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { isDuplicateId } from "../../../server/export/import-file.ts";
import { createSamples, sampleOrganisation, sampleSpace } from "../../contract/samples.ts";
import { openPglite } from "../../plugins/stores/postgres/pglite.ts";

const pglite = openPglite();
afterAll(async () => (await pglite).close());

const storages = {
	SQLite: async () => ramStorage(),
	PostgreSQL: async () => postgresStorage({ connection: await (await pglite).empty(), now: () => new Date(), hasVectors: false }),
};

for (const [name, open] of Object.entries(storages))
	test(`of ${name}`, async () => {
		const storage = await open();
		await storage.migrate();
		const { documents } = storage.organisation(sampleOrganisation);
		const samples = createSamples(1);
		const document = samples.makeDocument();
		await documents.add(document, null);
		const chunk = samples.makeChunk(document);
		const twice = [chunk, chunk].map((each) => ({ chunk: each, vector: samples.makeVector() }));
		const thrown = await documents.stage(document.id, document.revision, sampleSpace, twice).catch((error: unknown) => error);
		expect(isDuplicateId(thrown)).toBe(true);
		expect(isDuplicateId(new Error("another fault"))).toBe(false);
		await storage.close();
	}, 120_000);
