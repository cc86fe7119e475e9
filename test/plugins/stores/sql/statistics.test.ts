/** The counts over all organisations, in a store with threads and in one without: the queue, its age, documents, and bytes. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import type { Storage } from "cairn-memory/stores";
import { ramStorage } from "../../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleOrganisation } from "../../../contract/samples.ts";
import { openSqlite } from "../sqlite/open-sqlite.ts";

const another = asId<OrganisationId>("organisationBBBBBBBBBB");

async function fill(storage: Storage): Promise<Date> {
	const { makeDocument, makeJob, nextTime } = createSamples(1);
	await storage.migrate();
	const due = nextTime();
	for (const organisation of [sampleOrganisation, another]) {
		for (let i = 0; i < 3; i++) {
			const document = makeDocument({ organisation });
			await storage.organisation(organisation).documents.add(document, makeJob(document, { notBefore: due }));
		}
	}
	await storage.jobs.claim("test", ["ingest"], 2, due, 60_000);
	return due;
}

async function demandCounts(storage: Storage): Promise<void> {
	const due = await fill(storage);
	const statistics = await storage.statistics?.(new Date(due.getTime() + 90_000));
	expect(statistics?.jobs).toEqual([{ task: "ingest", waiting: 4, running: 2, oldestDueSeconds: 90 }]);
	expect(statistics?.documents).toEqual({ queued: 6 });
	expect(statistics?.databaseBytes).toBeGreaterThan(4_096);
	expect(statistics?.blobBytes).toBeNull();
	await storage.maintain(new AbortController().signal);
	expect((await storage.statistics?.(due))?.blobBytes).toBe(0);
	expect((await storage.statistics?.(new Date(due.getTime() - 1_000)))?.jobs[0]?.oldestDueSeconds).toBe(0);
}

test("of SQLite, counted by another thread", async () => {
	const { storage, dispose } = await openSqlite();
	await demandCounts(storage).finally(dispose);
});

test("of the store in memory", async () => {
	const storage = ramStorage();
	await demandCounts(storage).finally(storage.close);
});
