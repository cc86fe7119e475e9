/** What `npm pack` makes is installed in an empty folder, starts with Node alone, reads a plugin of that folder, and fetches nothing. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { canInstall, type InstalledPackage, installPackage } from "../doubles/installed-package.ts";
import type { ServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const clone = resolve(import.meta.dir, "../..");
const key = "key-of-the-operator";
const patienceMs = 120_000;

let installed: InstalledPackage;
let registry: Bun.Server<undefined>;
let asked: string[] = [];
beforeAll(async () => {
	if (!canInstall) return;
	installed = await installPackage();
	registry = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: ({ url }) => {
			asked.push(url);
			return new Response("{}", { status: 404 });
		},
	});
}, patienceMs);
afterAll(async () => {
	await registry?.stop(true);
	await installed?.remove();
}, patienceMs);

const env = (): Readonly<Record<string, string>> => {
	asked = [];
	const address = registry.url.href;
	return { CAIRN_API_KEY: key, BUN_CONFIG_REGISTRY: address, npm_config_registry: address };
};
const headers = { "x-api-key": key };

async function ask<Answer>(server: ServerProcess, path: string, init: RequestInit): Promise<Answer> {
	return (await (await fetch(`${server.address}${path}`, { ...init, headers: { ...headers, ...init.headers } })).json()) as Answer;
}

interface Shown {
	readonly id: string;
	readonly status: string;
	readonly content: string | null;
	readonly error: { readonly code: string } | null;
}

/** Uploads a file and waits until it is read. */
async function read(server: ServerProcess, name: string, text: string): Promise<Shown> {
	const body = new FormData();
	body.set("file", new File([text], name));
	const { id } = await ask<Shown>(server, "/v3/documents/file", { method: "POST", body });
	return until(async () => {
		const document = await ask<Shown>(server, `/v3/documents/${id}`, {});
		return ["done", "failed"].includes(document.status) ? document : null;
	});
}

describe.skipIf(!canInstall)("the package", () => {
	test("holds what runs, what types say and what is read about it, and no test but the contract's", () => {
		const { paths, size } = installed.packed;
		const needed = ["LICENSE", "README.md", "core/index.ts", "declarations/core/index.d.ts", "models/static-en/model.bin", "scripts/cairn.mjs"];
		expect(needed.filter((path) => !paths.includes(path))).toEqual([]);
		const folders = new Set(paths.map((path) => path.split("/").slice(0, -1).join("/")));
		const allowed = /^(console\/built|core|declarations|docs|models\/static-en|plugins|scripts|server|test\/contract)(\/|$)/;
		expect([...folders].filter((folder) => folder !== "" && !allowed.test(folder))).toEqual([]);
		expect(paths.filter((path) => /\.test\.ts$|^scripts\/(?!(bun|cairn)\.mjs$)/.test(path))).toEqual([]);
		expect(size).toBeLessThan(12_000_000);
	});

	test(
		"has types that a strict compiler accepts, and that refuse what is wrong",
		async () => {
			const tsc = ["node", join(clone, "node_modules/typescript/bin/tsc"), "--pretty", "false", "-p", "."];
			expect(await installed.run(tsc)).toEqual({ code: 0, printed: "" });
			const wrong = join(installed.folder, "wrong.ts");
			await Bun.write(wrong, 'import { definePlugin } from "cairn-memory";\nexport default definePlugin({ name: 5 });\n');
			const { code, printed } = await installed.run(tsc);
			await Bun.file(wrong).delete();
			expect(code).not.toBe(0);
			expect(printed).toContain("wrong.ts");
		},
		patienceMs,
	);

	test(
		"starts with Node alone, keeps its data where it was called, and finds what it is given",
		async () => {
			const server = await installed.serve(env());
			const added = await ask<Shown>(server, "/v3/documents", {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify({ content: "The ferry to Gullhaven leaves at half past six." }),
			});
			await until(async () => (await ask<Shown>(server, `/v3/documents/${added.id}`, {})).status === "done");
			const found = await ask<{ readonly results: readonly { readonly documentId: string }[] }>(server, "/v3/search?q=when+does+the+ferry+leave", {});
			expect(found.results[0]?.documentId).toBe(added.id);
			expect(existsSync(join(installed.folder, ".cairn"))).toBe(true);

			// The plugin of the folder, its engine in a child process, and an error that both know.
			expect(await read(server, "weights.acme", "ACME\nThe anvil weighs eighty kilograms.")).toMatchObject({
				status: "done",
				content: expect.stringContaining("anvil weighs eighty"),
			});
			expect((await read(server, "none.acme", "ACME")).error?.code).toBe("FILE_BROKEN");
			expect(await server.kill("SIGTERM")).toBe(0);
			expect(asked).toEqual([]);
		},
		patienceMs,
	);

	test(
		"holds the web console and the documentation site, built",
		async () => {
			const server = await installed.serve(env());
			const html = await (await fetch(server.address, { headers: { accept: "text/html" } })).text();
			const assets = [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map((found) => found[1] ?? "");
			expect(assets.length).toBe(2);
			for (const asset of assets) expect((await fetch(`${server.address}${asset}`)).status).toBe(200);
			const page = await fetch(`${server.address}/docs/search`, { headers: { accept: "text/html" } });
			const named = [...(await page.text()).matchAll(/"(\/docs\/(?:assets|images)\/[^"]+)"/g)].map((found) => found[1] ?? "");
			expect(named.length).toBeGreaterThan(3);
			for (const asset of named) expect([asset, (await fetch(`${server.address}${asset}`)).status]).toEqual([asset, 200]);
			await server.kill("SIGTERM");
		},
		patienceMs,
	);

	test(
		"ends with the npx that started it",
		async () => {
			const server = await installed.serve(env(), ["npx", "cairn"]);
			await server.kill("SIGTERM");
			const isGone = () =>
				fetch(server.address).then(
					() => false,
					() => true,
				);
			expect(await until(isGone)).toBe(true);
		},
		patienceMs,
	);

	test(
		"runs its contract tests on a plugin outside of it",
		async () => {
			const { code, printed } = await installed.run([process.execPath, "--no-install", "run-laws.ts"]);
			expect(printed).toMatch(/^\d\d laws kept$/m);
			expect(code).toBe(0);
		},
		patienceMs,
	);
});

const lacking = "cairn-plugin-nobody-has";

describe.skipIf(!canInstall)("a package that is not installed is not fetched", () => {
	const bySelf = () => [process.execPath, join(installed.folder, "node_modules/cairn-memory/server/main.ts")];
	const ways: readonly (readonly [string, () => readonly string[]])[] = [
		["by its command", () => [join(installed.folder, "node_modules/.bin/cairn")]],
		["by npx", () => ["npx", "--prefix", installed.folder, "cairn"]],
		["by Bun without a flag", bySelf],
	];
	const write = (name: string, text: string) => Bun.write(join(installed.elsewhere, name), text);
	// Without it Bun fetches only where no `node_modules` lies above, which is up to the machine.
	beforeAll(async () => void (await write("bunfig.toml", '[install]\nauto = "fallback"\n')));

	for (const [name, command] of ways) {
		test(
			`when a config of a server started ${name} asks for it`,
			async () => {
				await write("lacking.config.ts", `import "${lacking}";\nexport default {};\n`);
				const { code, printed } = await installed.run([...command(), "--config", join(installed.elsewhere, "lacking.config.ts")], env(), installed.elsewhere);
				expect(printed).toContain(`imports the package ${lacking}, which is not installed`);
				expect(code).toBe(1);
				expect(asked).toEqual([]);
			},
			patienceMs,
		);
	}

	test(
		"when the ingest thread or a child process asks for it",
		async () => {
			await write("cairn.config.ts", 'export default { plugins: ["./lacking.ts"] };\n');
			await write("lacking.ts", lackingPlugin);
			await write("engine.ts", `import "${lacking}";\nexport default () => [];\n`);
			const server = await installed.serve(env(), bySelf(), installed.elsewhere);
			for (const name of ["thread.acme", "child.acme"]) expect((await read(server, name, "A line.")).status).toBe("failed");
			await server.kill("SIGTERM");
			expect(asked).toEqual([]);
		},
		patienceMs,
	);
});

const lackingPlugin = `
	import { definePlugin } from "cairn-memory";
	const anything = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };
	const bounds = { timeoutMs: 60_000, memoryMb: 512, outputBytesMax: 1_000 };
	const missing = "${lacking}";
	const accepts = ["text/x-acme"];
	export default definePlugin({
		name: "cairn-plugin-lacking",
		contract: 1,
		options: anything,
		start: (_options, host) => ({
			extractor: [{
				name: "lacking",
				accepts,
				signatures: [{ mediaType: "text/x-acme", extensions: ["acme"] }],
				extract: async ({ fileName }, { signal }) => {
					if (fileName === "thread.acme") await import(missing);
					return host.sandbox.run({ engine: new URL("./engine.ts", import.meta.url), input: null, signal, ...bounds });
				},
			}],
		}),
	});
`;
