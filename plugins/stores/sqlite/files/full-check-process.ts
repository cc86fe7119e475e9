/**
 * The process that looks through the whole database while the server runs: each table with its indexes, at the lowest priority, with
 * pauses. It is a process of its own, because it can be ended in the middle. It prints what it finds as JSON.
 */

import { setPriority } from "node:os";
import { faultsOf } from "./database-file.ts";
import { openForInspection } from "./inspect.ts";

/** A table is followed by a pause of so many times what it took, so that a quarter of the time is spent on it. */
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
