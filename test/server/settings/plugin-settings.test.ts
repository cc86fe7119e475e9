/** A plugin that the config file lists brings its own settings: they are known, read by their kind, and become its options. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfiguration } from "../../../server/boot/read-configuration.ts";
import { createWorld } from "../../../server/boot/world.ts";
import { compose } from "../../../server/compose.ts";
import { readSettings } from "../../../server/settings/read-settings.ts";

let folder: string;
const env = (more: Readonly<Record<string, string>> = {}) => ({ CAIRN_CONFIG: join(folder, "cairn.config.ts"), CAIRN_DATA_DIR: folder, ...more });

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-plugin-settings-"));
	await writeFile(
		join(folder, "acme.ts"),
		`import { definePlugin } from "cairn-memory";` +
			`
const options = { "~standard": { version: 1, vendor: "acme", validate: (value) => ({ value }) } };
export default definePlugin({
	name: "acme-rewriter", contract: 1, options,
	settings: [
		{ env: "CAIRN_ACME_WORDS", kind: [1, 9], meaning: "words to add" },
		{ env: "CAIRN_ACME_KEY", kind: "secret", meaning: "key for it" },
		{ env: "ACME_MODEL", kind: "text", meaning: "model of it", fallback: "small" },
	],
	configure: (given, { settings }) => settings.CAIRN_ACME_WORDS === 9 ? null : { options: { ...given, said: settings.CAIRN_ACME_WORDS, model: settings.ACME_MODEL } },
	start: (chosen) => ({ queryRewriter: [{ name: "acme " + JSON.stringify(chosen), rewrite: async () => [] }] }),
});
`,
	);
	await writeFile(join(folder, "cairn.config.ts"), `export default { plugins: [["${join(folder, "acme.ts")}", { a: 1 }]] };\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The parts that the plugin offers under these settings. */
async function offered(more: Readonly<Record<string, string>>, flags: readonly string[] = []): Promise<readonly string[]> {
	const { config, settings } = await readConfiguration({ env: env(more), flags });
	const { registry, parts, stop } = await compose({
		settings: { ...settings, use: { ...settings.use, storage: "ram" } },
		config,
		world: createWorld({ log: () => undefined }),
	});
	await parts.storage.migrate();
	const names = registry.list().flatMap(({ plugin, name }) => (plugin === "acme-rewriter" ? [name] : []));
	await stop();
	return names;
}

test("from the environment and from flags, with its own default, beside its options", async () => {
	expect(await offered({})).toEqual(['acme {"a":1,"said":null,"model":"small"}']);
	expect(await offered({ CAIRN_ACME_WORDS: "3" }, ["--acme-model=large"])).toEqual(['acme {"a":1,"said":3,"model":"large"}']);
});

test("a plugin may leave itself out by what was said", async () => {
	expect(await offered({ CAIRN_ACME_WORDS: "9" })).toEqual([]);
});

test("what is wrong or not known is refused as a setting of the server's would be, and a secret is not repeated", async () => {
	const complaint = async (more: Readonly<Record<string, string>>) =>
		(await readConfiguration({ env: env(more), flags: [] }).catch((thrown: Error) => thrown.message)) as string;
	expect(await complaint({ CAIRN_ACME_WORDS: "12" })).toContain('"12" should be a whole number from 1 to 9');
	expect(await complaint({ CAIRN_ACME_WORD: "1" })).toContain("did you mean CAIRN_ACME_WORDS?");
	expect(await complaint({ CAIRN_ACME_KEY: "hunter two" })).toMatch(/CAIRN_ACME_KEY is not valid: it should be/);
	// Without a config that lists the plugin, its settings are unknown.
	expect(() => readSettings({ env: { CAIRN_ACME_WORDS: "3" }, flags: [] })).toThrow("CAIRN_ACME_WORDS");
});
