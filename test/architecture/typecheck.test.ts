/** The whole repository compiles, and core compiles without knowing Bun, Node or a browser. */

import { expect, test } from "bun:test";
import { checks, complaintsOf } from "../../scripts/checks.ts";

/** Seconds on a quiet machine; a busy one takes longer. */
const patienceMs = 600_000;

for (const check of checks.filter(({ name }) => name.includes("tsc"))) {
	test(check.name, async () => expect(await complaintsOf(check)).toBe(""), patienceMs);
}
