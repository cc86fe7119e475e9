/** The SQLite storage passes every contract test of a storage. */

import { test } from "bun:test";
import { storageContract } from "../../contract/storage/storage-contract.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

// Side by side, since each waits for a thread to start and for the disk; so each may take as long as all of them.
const patienceMs = 120_000;

for (const contractTest of storageContract(openSqlite)) test.concurrent(contractTest.name, contractTest.check, patienceMs);
