/** The SQLite storage keeps every law of a storage. */

import { test } from "bun:test";
import { storageLaws } from "../../conformance/storage/storage-laws.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

for (const law of storageLaws(openSqlite)) test(law.name, law.check, 20_000);
