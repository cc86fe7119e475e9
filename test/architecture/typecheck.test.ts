/** The whole repository compiles, and core compiles without knowing Bun, Node or a browser. */

import { expect, test } from "bun:test";
import { checks, complaintsOf } from "../../scripts/checks.ts";

for (const check of checks.filter(({ name }) => name.includes("tsc"))) {
	test(check.name, async () => expect(await complaintsOf(check)).toBe(""));
}
