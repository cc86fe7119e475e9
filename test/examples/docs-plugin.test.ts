/** The plugin that docs/plugins.md tells to write, taken from the page and held to the contract tests that the page tells to run. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PluginFactory } from "cairn-memory";
import { extractorContract, partOf, pluginContract } from "cairn-memory/contract";
import { rootFolder } from "../../scripts/checks.ts";

const page = await Bun.file(`${rootFolder}docs/plugins.md`).text();
const [written = "", tried = ""] = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

const folder = await mkdtemp(join(tmpdir(), "cairn-docs-plugin-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Outside of the repository nobody knows its packages by their names. */
const addresses = {
	"cairn-memory": pathToFileURL(`${rootFolder}core/index.ts`).href,
	"cairn-memory/words": pathToFileURL(`${rootFolder}core/words.ts`).href,
	zod: import.meta.resolve("zod"),
};
const code = Object.entries(addresses).reduce((text, [name, address]) => text.replace(`from "${name}"`, `from ${JSON.stringify(address)}`), written);
await writeFile(join(folder, "index.ts"), code);
const { default: morse } = (await import(join(folder, "index.ts"))) as { readonly default: PluginFactory };

test("the page tells to try a sample of Morse", () => {
	expect(tried).toContain('encode("... --- ...")');
	expect(tried).toContain('words: ["SOS"]');
});

const start = () => partOf(morse(), "extractor");
const sample = { bytes: new TextEncoder().encode("... --- ..."), mediaType: "text/x-morse", fileName: "help.morse", words: ["SOS"] } as const;
for (const contractTest of [...pluginContract(morse), ...extractorContract(start, [sample])]) test(contractTest.name, contractTest.check);
