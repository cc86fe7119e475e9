/** A config and a plugin that lie outside of the program's folder: `cairn-memory` is the running program for them, and nothing is ever fetched. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServerProcess } from "../../doubles/server-process.ts";
import { until } from "../../doubles/until.ts";

const config = `
	import { defineConfig } from "cairn-memory";
	import turnedAway from "./turned-away.ts";
	export default defineConfig({ plugins: [turnedAway()] });
`;
/** Errors count as errors of the program only when they are made by the very module that the program runs. */
const plugin = `
	import { definePlugin, fail } from "cairn-memory";
	const anything = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };
	const bounds = { timeoutMs: 60_000, memoryMb: 512, outputBytesMax: 1_000 };
	export default definePlugin({
		name: "cairn-plugin-turned-away",
		contract: 1,
		options: anything,
		start: (_options, host) => ({
			extractor: [{
				name: "turned-away",
				accepts: ["text/plain"],
				extract: async (source, step) => {
					if (source.text === "here") throw fail("ADDRESS_EMPTY", "here");
					return host.sandbox.run({ engine: new URL("./engine.ts", import.meta.url), input: null, signal: step.signal, ...bounds });
				},
			}],
		}),
	});
`;
const engine = 'import { fail } from "cairn-memory"; export default () => { throw fail("ADDRESS_GONE", "there", "by the engine"); };';

let folder: string;
let asked: string[];
let registry: Bun.Server<undefined>;
beforeEach(async () => {
	folder = await realpath(await mkdtemp(join(tmpdir(), "cairn-outside-")));
	asked = [];
	registry = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: ({ url }) => {
			asked.push(url);
			return new Response("{}", { status: 404 });
		},
	});
	// Without it Bun fetches only where no `node_modules` lies above, which is up to the machine.
	await Bun.write(join(folder, "bunfig.toml"), '[install]\nauto = "fallback"\n');
	await Bun.write(join(folder, "cairn.config.ts"), config);
	await Bun.write(join(folder, "turned-away.ts"), plugin);
	await Bun.write(join(folder, "engine.ts"), engine);
});
afterEach(async () => {
	await registry.stop(true);
	await rm(folder, { recursive: true, force: true });
});

/** Without the flag that turns fetching off: the program has to see to it itself. */
const start = () => {
	const address = registry.url.href;
	return startServerProcess(folder, { BUN_CONFIG_REGISTRY: address, npm_config_registry: address, CAIRN_API_KEY: "key-of-the-operator" }, []);
};

test("the server, its ingest thread and its child processes give them their own modules, and ask no registry", async () => {
	const server = await start();
	const headers = { "x-api-key": "key-of-the-operator", "content-type": "application/json" };
	const failureOf = async (content: string): Promise<unknown> => {
		const added = await fetch(`${server.address}/v3/documents`, { method: "POST", headers, body: JSON.stringify({ content }) });
		const { id } = (await added.json()) as { readonly id: string };
		return until(async () => {
			const document = (await (await fetch(`${server.address}/v3/documents/${id}`, { headers })).json()) as Record<string, unknown>;
			return document["status"] === "failed" && document["error"];
		});
	};
	expect(await failureOf("here")).toMatchObject({ code: "ADDRESS_EMPTY" });
	expect(await failureOf("there")).toMatchObject({ code: "ADDRESS_GONE" });
	expect(await server.kill("SIGTERM")).toBe(0);
	expect(asked).toEqual([]);
}, 60_000);

test("a package that is not installed ends the start with one sentence that names the file and the package", async () => {
	await Bun.write(join(folder, "turned-away.ts"), `import "cairn-plugin-nobody-has";\n${plugin}`);
	const said = String(await start().catch((error: unknown) => error));
	expect(said).toContain(`cairn cannot start: ${join(folder, "turned-away.ts")} imports the package cairn-plugin-nobody-has, which is not installed`);
	expect(said).toContain("(PACKAGE_MISSING)");
	expect(asked).toEqual([]);
}, 60_000);

test("a plugin that is listed by its path and lacks a package says the same", async () => {
	await Bun.write(join(folder, "cairn.config.ts"), 'export default { plugins: ["./turned-away.ts"] };');
	await Bun.write(join(folder, "turned-away.ts"), `import "@nobody/has";\n${plugin}`);
	const said = String(await start().catch((error: unknown) => error));
	expect(said).toContain(`${join(folder, "turned-away.ts")} imports the package @nobody/has, which is not installed`);
	expect(asked).toEqual([]);
}, 60_000);
