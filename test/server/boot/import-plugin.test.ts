/** What an operator lists under `plugins`, and what is said of it when it is no plugin. */

import { expect, test } from "bun:test";
import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { importPlugin } from "../../../server/boot/import-plugin.ts";

const acme = definePlugin({ name: "cairn-plugin-acme", contract: 1, options: z.strictObject({}), start: () => ({}) });

test("a plugin that is listed without parentheses is refused with the remedy", async () => {
	expect(await importPlugin(acme(), [])).toMatchObject({ name: "cairn-plugin-acme" });
	const refusal = importPlugin(acme as never, []);
	await expect(refusal).rejects.toMatchObject({ code: "PLUGIN_MALFORMED", message: expect.stringContaining("list what it returns: acme(), not acme") });
});
