/** Who may import whom: core nothing above it, a plugin only "cairn-memory" and packages, nothing that ships a test. */

import { describe, expect, test } from "bun:test";
import manifest from "../../package.json" with { type: "json" };
import { importsOf, isPluginDoor, packageOf, resolveImport, type SourceFile, sourceFiles } from "./source.ts";

const files = await sourceFiles();
const doors = new Set(files.filter(isPluginDoor).map(({ path }) => path));
const shipped = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]);
const declared = new Set([...shipped, ...Object.keys(manifest.devDependencies)]);

/** Inside core only downwards: a folder may use those with a smaller number, and itself. */
const coreLayers: Readonly<Record<string, number>> = { model: 0, errors: 0, ports: 1, plugin: 2 };
const coreTop = 3;

/** What is wrong with one import, or null. */
function fault(from: SourceFile["path"], specifier: string): string | null {
	const path = resolveImport(from, specifier);
	if (path === null) return packageFault(from, specifier);
	const target = path.split("/")[0] ?? "";
	// A fixture is material: it has an address, and runs nothing.
	if (target === "test" && !path.startsWith("test/fixtures/") && !/^(test|bench)\//.test(from)) return "only tests and benchmarks import tests";
	if (from.startsWith("core/")) return coreFault(from, path);
	if (from.startsWith("plugins/")) return pluginFault(from, path);
	if (from.startsWith("server/") && target === "plugins" && from !== "server/boot/builtin-plugins.ts")
		return "only builtin-plugins.ts knows which plugins ship";
	if (from.startsWith("server/") && !["server", "core", "plugins", "package.json"].includes(target)) return "the server imports core and itself";
	return null;
}

function packageFault(from: string, specifier: string): string | null {
	const builtin = /^(node:|bun:|bun$)/.test(specifier);
	if (from.startsWith("core/")) return /^(stemmer$|@orama\/stemmers\/)/.test(specifier) ? null : "core imports no package but stemmers, and no platform";
	if (builtin) return null;
	const name = packageOf(specifier);
	if (name === "cairn-memory") return from.startsWith("plugins/") && specifier !== "cairn-memory" ? "a plugin uses the public door only" : null;
	const known = /^(plugins|server)\//.test(from) ? shipped : declared;
	// A package of types alone is named without its scope.
	return known.has(name) || declared.has(`@types/${name}`) ? null : `${name} is not declared for this in package.json`;
}

function coreFault(from: string, path: string): string | null {
	if (!path.startsWith("core/")) return "core imports nothing above it";
	return layerOf(path) > layerOf(from) ? "inside core only downwards" : null;
}

function layerOf(path: string): number {
	return coreLayers[path.split("/")[1] ?? ""] ?? coreTop;
}

/** What plugins of several kinds need for models that run on this machine. No plugin itself. */
const servesSeveralKinds = "plugins/local-models/";

/** Its own folder, and modules beside it that serve its kind, or several. Never another plugin. */
function pluginFault(from: string, path: string): string | null {
	const [, kind, own = ""] = from.split("/");
	// A trained model is material, like a fixture.
	if (/^models\/[^/]+\/model\.bin$/.test(path)) return null;
	if (path.startsWith(`plugins/${kind}/${own.endsWith(".ts") ? "" : own}/`)) return null;
	if (doors.has(path) && path !== from) return "a plugin never imports another plugin";
	const beside = path.split("/").length === 3 && (path.startsWith(`plugins/${kind}/`) || path.startsWith(servesSeveralKinds));
	return beside ? null : 'a plugin imports "cairn-memory", packages and its own folder';
}

test("every import of every file keeps the rules", () => {
	const faults = files.flatMap(({ path, text }) =>
		importsOf(text).flatMap((specifier) => {
			const found = fault(path, specifier);
			return found === null ? [] : [`${path} imports ${specifier}: ${found}`];
		}),
	);
	expect(faults).toEqual([]);
});

test("there is something to look at", () => {
	expect(files.filter(({ path }) => path.startsWith("core/")).length).toBeGreaterThan(20);
	expect(doors.size).toBeGreaterThan(5);
	expect(files.flatMap(({ text }) => importsOf(text)).length).toBeGreaterThan(200);
});

describe("planted violations are seen", () => {
	const planted: readonly (readonly [string, string])[] = [
		["core/model/planted.ts", 'import { readFile } from "node:fs/promises";'],
		["core/model/planted.ts", 'import type {\n\tDatabase,\n} from "bun:sqlite";'],
		["core/model/planted.ts", 'import type { World } from "../ports/world.ts";'],
		["core/search/planted.ts", 'export * from "../../server/app.ts";'],
		["core/search/planted.ts", 'const zod = await import("zod");'],
		["plugins/extractors/planted/index.ts", 'import { fail } from "../../../core/errors/fail.ts";'],
		["plugins/extractors/planted/index.ts", 'import type { Settings } from "../../../server/settings/settings.ts";'],
		["plugins/extractors/planted/index.ts", 'const engine = new URL("../../../server/boot/engine.ts", import.meta.url);'],
		["plugins/extractors/planted/index.ts", `import other from "../${pluginFolder()}";`],
		["plugins/embedders/planted/index.ts", 'import { trainModel } from "../../../models/train/train-model.ts";'],
		["plugins/extractors/planted/index.ts", 'import fastCheck from "fast-check";'],
		["plugins/extractors/planted/index.ts", 'import { demand } from "cairn-memory/contract";'],
		["server/planted.ts", 'import "../plugins/storage/ram/index.ts";'],
		["server/planted.ts", 'import { spy } from "../test/doubles/spy.ts";'],
		["scripts/planted.ts", 'let text: import("../test/architecture/source.ts").SourceFile;'],
		["scripts/planted.ts", 'import leftPad from "left-pad";'],
	];
	for (const [path, text] of planted) {
		test(`${path}: ${text.replaceAll(/\s+/g, " ")}`, () => {
			expect(importsOf(text).map((specifier) => fault(path, specifier))).toEqual([expect.any(String)]);
		});
	}

	test("words in a comment or a message are no import", () => {
		expect(importsOf('/**\n * import { x } from "node:fs";\n */\nconst text = "take it from here";\n// import "bun:test"')).toEqual([]);
	});
});

function pluginFolder(): string {
	const door = [...doors].find((path) => path.startsWith("plugins/extractors/")) ?? "plugins/extractors/none";
	return door.replace("plugins/extractors/", "");
}
