/** Takes every file handle there is, and prints what opening one more reader of a database says. Its argument is the database. */

import { openSync } from "node:fs";
import { asServiceError } from "../../../../core/errors/fail.ts";
import { openReader } from "../../../../plugins/stores/sqlite/connection.ts";

const [file = ""] = process.argv.slice(2);
const report = (): string => {
	try {
		openReader(file).close();
		return "opened";
	} catch (thrown) {
		return asServiceError(thrown).code;
	}
};
const before = report();
try {
	for (;;) openSync("/dev/null", "r");
} catch {
	// That was the last.
}
console.log(JSON.stringify([before, report()]));
