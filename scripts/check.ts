/** All that a change has to pass: formatting, lint, types, tests. The quick ones first, and all of them even when one fails. */

import { checks, complaintsOf, rootFolder } from "./checks.ts";

let failed = false;
for (const check of checks) {
	const complaints = await complaintsOf(check);
	console.log(`${complaints === "" ? "ok    " : "FAILED"} ${check.name}`);
	if (complaints === "") continue;
	failed = true;
	console.log(complaints);
}

// The two tests that run the same checks again are left out.
const again = ["--path-ignore-patterns=**/architecture/lint.test.ts", "--path-ignore-patterns=**/architecture/typecheck.test.ts"];
const tests = Bun.spawn([process.execPath, `${rootFolder}scripts/test.ts`, ...again], { cwd: rootFolder, stdio: ["ignore", "inherit", "inherit"] });
process.exit((await tests.exited) === 0 && !failed ? 0 : 1);
