/** Every program that Cairn starts with Bun is started with the flag that keeps Bun from fetching what a file imports. */

import { expect, test } from "bun:test";
import { sourceFiles } from "./source.ts";

const shipped = (await sourceFiles()).filter(({ path }) => /^(plugins|server)\//.test(path));
const starters = shipped.filter(({ text }) => text.includes("process.execPath"));

test("wherever Bun is started, the flag is named", () => {
	expect(starters.filter(({ text }) => !text.includes('"--no-install"')).map(({ path }) => path)).toEqual([]);
	expect(starters.length).toBeGreaterThan(2);
});
