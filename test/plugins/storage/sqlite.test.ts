/** The SQLite storage keeps every law of a storage. */

import { test } from "bun:test";
import { storageLaws } from "../../contract/storage/storage-laws.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

// Side by side, since each waits for a thread to start and for the disk; so each may take as long as all of them.
const patienceMs = 120_000;

for (const law of storageLaws(openSqlite)) test.concurrent(law.name, law.check, patienceMs);
