/** What an operator lists under `plugins`, and what is said of it when it is no plugin. */

import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { importPlugin } from "../../../server/boot/import-plugin.ts";
import { loadConfig } from "../../../server/boot/load-config.ts";

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

test("what a plugin throws while it is loaded is one line, with the place in a folder whose name has spaces", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn import (of) "));
	const file = join(folder, "fails here.ts");
	const remedy = "correct it, or take it out of plugins in the config";
	const cases = [
		["throw new Error('first\\r\\n\\n  second\\n');", `first second (${file}:1:11); ${remedy}`],
		["function inner() { null.x; }\ninner();", `null is not an object (evaluating 'null.x') (${file}:1:20); ${remedy}`],
		["throw 'a\\nb';", `a b; ${remedy}`],
	] as const;
	for (const [at, [text, said]] of cases.entries()) {
		// A module is imported once.
		const own = file.replace("here", `here ${at}`);
		await writeFile(own, `${text}\nexport default 1;`);
		await expect(importPlugin(own, [])).rejects.toMatchObject({ code: "PLUGIN_UNLOADABLE", message: expect.stringContaining(said.replace(file, own)) });
	}
	await rm(folder, { recursive: true });
});

test("a plugin and a config with a syntax error end with one line that names the place and the remedy", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-import-"));
	const [file, config] = [join(folder, "broken.ts"), join(folder, "cairn.config.ts")];
	await writeFile(file, "export default definePlugin({ name:");
	await writeFile(config, `import broken from ${JSON.stringify(file)}; export default { plugins: [broken()] };`);
	const says = (remedy: string) => expect.stringMatching(new RegExp(`Unexpected end of file \\(${file}:1:\\d+\\); correct it, or ${remedy}`));
	await expect(importPlugin(file, [])).rejects.toMatchObject({ code: "PLUGIN_UNLOADABLE", message: says("take it out of plugins in the config") });
	await expect(loadConfig(config)).rejects.toMatchObject({ code: "SETTING_INVALID", message: says("take out of it what it imports") });
	await rm(folder, { recursive: true });
});
