/**
 * The process that checks the whole database while the server runs: each table with its indexes, at the lowest priority, with pauses. It is
 * a process of its own, so that it can be ended at any time. It prints the faults as JSON.
 */

import { setPriority } from "node:os";
import { faultsOf } from "./database-file.ts";
import { openForInspection } from "./inspect.ts";

/** The pause after each table is this many times as long as its check took, so that only a quarter of the time is spent checking. */
const pauseShare = 3;
const niceMax = 19;

const [file = ""] = process.argv.slice(2);
try {
	setPriority(0, niceMax);
} catch {
	// If the system forbids it, the pauses still leave the disk to others.
}
const opened = openForInspection(file);
const tables = opened.statement<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'").all();
const faults: string[] = [];
for (const { name } of tables) {
	const began = performance.now();
	// Between two tables the log of writes can be copied into the database.
	faults.push(...faultsOf(opened, "integrity_check", name));
	if (faults.length > 0) break;
	await Bun.sleep((performance.now() - began) * pauseShare);
}
opened.close();
process.stdout.write(JSON.stringify(faults));
