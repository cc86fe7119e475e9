/** Another thread of the same program, for the storage's tests: adds a document through what it inherits, reads it, closes. */

import { parentPort, workerData } from "node:worker_threads";
import { sampleOrganisation } from "../../../contract/samples.ts";
import { startSqlite } from "./open-sqlite.ts";

const { folder, inherited, document, job } = workerData;
const storage = await startSqlite(folder, { inherited });
await storage.migrate();
const { documents } = storage.organisation(sampleOrganisation);
const added = await documents.add(document, job);
const seen = (await documents.get(document.id))?.id;
await storage.close();
const refused = await documents.add(document, job).catch((thrown) => thrown.code);
parentPort?.postMessage({ added, seen, refused, hasShare: storage.share !== undefined });
