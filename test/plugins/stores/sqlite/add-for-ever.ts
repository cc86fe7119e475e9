/** A second process for the storage's tests: adds documents, prints each customId once it is acknowledged, until it is killed. */

import { createSamples, sampleOrganisation } from "../../../contract/samples.ts";
import { startSqlite } from "./open-sqlite.ts";

const storage = await startSqlite(process.argv[2] ?? "");
await storage.migrate();
const samples = createSamples(3);
const { documents } = storage.organisation(sampleOrganisation);
// Bounded, so that it ends by itself should nobody kill it.
for (let i = 0; i < 20_000; i++) {
	const document = samples.makeDocument({ customId: `number ${i}` });
	await documents.add(document, samples.makeJob(document));
	process.stdout.write(`${document.customId}\n`);
}
await storage.close();
