/** What an operator lists under `plugins`, and what is said of it when it is no plugin. */

import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { importPlugin } from "../../../server/boot/import-plugin.ts";

const acme = definePlugin({ name: "cairn-plugin-acme", contract: 1, options: z.strictObject({}), start: () => ({}) });

test("a plugin that is listed without parentheses is refused with the remedy", async () => {
	expect(await importPlugin(acme(), [])).toMatchObject({ name: "cairn-plugin-acme" });
	const refusal = importPlugin(acme as never, []);
	await expect(refusal).rejects.toMatchObject({ code: "PLUGIN_MALFORMED", message: expect.stringContaining("list what it returns: acme(), not acme") });
});

test("a plugin that imports what is no entry point is told so, not that a package is missing", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-import-"));
	const file = join(folder, "deep.ts");
	await writeFile(file, 'import { limits } from "cairn-memory/core/model/limits.ts"; export default () => limits;');
	const refusal = importPlugin(file, []);
	await expect(refusal).rejects.toMatchObject({ code: "PLUGIN_UNLOADABLE", message: expect.stringContaining("limits.ts is no entry point of cairn-memory") });
	await rm(folder, { recursive: true });
});
