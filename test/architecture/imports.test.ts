/** Who may import whom: core nothing above it, a plugin only "cairn-memory" and packages, nothing that ships a test. */

import { describe, expect, test } from "bun:test";
import manifest from "../../package.json" with { type: "json" };
import { importsOf, isPluginDoor, packageOf, resolveImport, type SourceFile, sourceFiles, textOf } from "./source.ts";

const files = await sourceFiles();
const doors = new Set(files.filter(isPluginDoor).map(({ path }) => path));
const shipped = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]);
const declared = new Set([...shipped, ...Object.keys(manifest.devDependencies)]);

/**
 * The layers of core, types included: a folder uses those with a smaller number, and itself. Folders of one number do not know
 * each other. What several use cases need moves down; what joins several moves up.
 */
const coreLayers: Readonly<Record<string, number>> = {
	...{ model: 0, errors: 0 },
	...{ ports: 1, text: 1 },
	plugin: 2,
	ranking: 3,
	// What runs beside any use case: mutexes, notifiers, new jobs.
	runtime: 4,
	...{ access: 5, settings: 5 },
	language: 6,
	"embedding-spaces": 7,
	indexes: 8,
	"parts.ts": 9,
	...{ browse: 10, events: 10, ingest: 10, profile: 10, review: 10, search: 10 },
	...{ connections: 11, containers: 11, memories: 11, removals: 11, webhooks: 11 },
	organisation: 12,
	// Handlers of jobs: each joins the use cases that one job goes through.
	jobs: 13,
	"service.ts": 14,
	"index.ts": 15,
	"stores.ts": 15,
	"words.ts": 15,
};

/** What is wrong with one import, or null. */
function fault(from: SourceFile["path"], specifier: string): string | null {
	const path = resolveImport(from, specifier);
	if (path === null) return packageFault(from, specifier);
	const target = path.split("/")[0] ?? "";
	// A fixture is material: it has an address, and runs nothing.
	if (target === "test" && !path.startsWith("test/fixtures/") && !/^(test|bench)\//.test(from)) return "only tests and benchmarks import tests";
	if (from.startsWith("core/")) return coreFault(from, path);
	if (from.startsWith("plugins/")) return pluginFault(from, path);
	if (from.startsWith("console/")) return path.startsWith("console/") || isWireType(path) ? null : "the console imports itself, and types of server/wire";
	if (target === "console" && !from.startsWith("test/")) return "nothing imports the console: it runs in a browser";
	// A part of the package as `cairn-memory` itself: handed to the plugins that are listed.
	if (from === "server/boot/import-module.ts" && path === `${sqlStore}index.ts`) return null;
	if (from.startsWith("server/") && path.startsWith(s3Client)) return null;
	if (from.startsWith("server/") && target === "plugins" && from !== "server/boot/builtin-plugins.ts")
		return "only builtin-plugins.ts knows which plugins ship";
	if (from.startsWith("server/") && !["server", "core", "plugins", "package.json"].includes(target)) return "the server imports core and itself";
	return null;
}

/** Where the shapes of answers are declared; a test of the bundle sees that none of their code gets in. */
function isWireType(path: string): boolean {
	return path.startsWith("server/wire/");
}

function packageFault(from: string, specifier: string): string | null {
	const builtin = /^(node:|bun:|bun$)/.test(specifier);
	if (from.startsWith("core/")) return /^(stemmer$|@orama\/stemmers\/)/.test(specifier) ? null : "core imports no package but stemmers, and no platform";
	if (builtin) return null;
	const name = packageOf(specifier);
	if (name === "cairn-memory") return from.startsWith("plugins/") && !publicDoors(from).includes(specifier) ? "a plugin uses the public doors only" : null;
	const known = /^(console|plugins|server)\//.test(from) ? shipped : declared;
	// A package of types alone is named without its scope.
	return known.has(name) || declared.has(`@types/${name}`) ? null : `${name} is not declared for this in package.json`;
}

/** Rows and ports are for stores. */
function publicDoors(from: string): readonly string[] {
	return ["cairn-memory", "cairn-memory/words", ...(from.startsWith("plugins/stores/") ? ["cairn-memory/stores"] : [])];
}

function coreFault(from: string, path: string): string | null {
	if (!path.startsWith("core/")) return "core imports nothing above it";
	const [own, other] = [folderOf(from), folderOf(path)];
	if (own === other) return null;
	const [above, below] = [coreLayers[own], coreLayers[other]];
	if (above === undefined || below === undefined) return `${above === undefined ? own : other} has no layer in coreLayers`;
	return below < above ? null : "inside core only downwards, and never sideways";
}

/** Of core: a folder, or a file that lies in none. */
function folderOf(path: string): string {
	return path.split("/")[1] ?? "";
}

/** Libraries: bytes in, blocks out. No plugins themselves, and free for all of them. */
const formats = "plugins/formats/";

/** All that a format may know of Cairn: blocks, how they are written down, how an engine is called, and how a file is refused. */
const blockWords: ReadonlySet<string> = new Set(
	"About DraftFacts Engine Extraction ExtractionWriter FileSignature MediaType Attachment PackedExtraction Place Progress ReadableBlock Warning ServiceError WrittenRow completeExtraction createExtractionWriter fail limits parseMediaType rowText".split(
		" ",
	),
);

/** The names that a file imports from the doors of "cairn-memory". */
function namesOf(text: string): readonly string[] {
	return [...text.matchAll(/^import (?:type )?\{([^}]*)\} from "cairn-memory(?:\/words)?";/gm)].flatMap((found) =>
		(found[1] ?? "").split(",").map((name) => name.replace(/\btype\b|\bas\b.*/g, "").trim()),
	);
}

/** A client of S3, for the connector, the blob store and backups of the server. No plugin itself. */
const s3Client = "plugins/s3-client/";

/** What plugins of several kinds need: models that run on this machine, and S3. */
const servesSeveralKinds = ["plugins/local-models/", s3Client];

/** The tables and their statements, for every store with an SQL engine. No plugin itself: it knows no engine and no file. */
const sqlStore = "plugins/stores/sql/";

/** Its own folder, and modules beside it that serve its kind, or several. Never another plugin. */
function pluginFault(from: string, path: string): string | null {
	const [, kind, own = ""] = from.split("/");
	// A trained model is material, like a fixture.
	if (/^models\/[^/]+\/model\.bin$/.test(path)) return null;
	if (from.startsWith(formats)) return path.startsWith(formats) ? null : "a format imports block types, formats and packages";
	if (from.startsWith("plugins/stores/") && path.startsWith(sqlStore)) return null;
	if (path.startsWith(`plugins/${kind}/${own.endsWith(".ts") ? "" : own}/`) || path.startsWith(formats)) return null;
	if (doors.has(path) && path !== from) return "a plugin never imports another plugin";
	const beside = path.split("/").length === 3 && (path.startsWith(`plugins/${kind}/`) || servesSeveralKinds.some((folder) => path.startsWith(folder)));
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

test("the statements of stores know no driver, no file and no thread", () => {
	const allowed = new Set([
		"node:crypto",
		"cairn-memory",
		"cairn-memory/stores",
		"cairn-memory/words",
		// The description of tables alone. The whole of `drizzle-orm/sqlite-core` loads its query builder as well.
		"drizzle-orm/table",
		"drizzle-orm/utils",
		"drizzle-orm/sqlite-core/columns",
		"drizzle-orm/sqlite-core/primary-keys",
		"drizzle-orm/sqlite-core/table",
	]);
	const inside = files.filter(({ path }) => path.startsWith(sqlStore) && path !== `${sqlStore}bun-connection.ts`);
	const strange = inside.flatMap(({ path, text }) =>
		importsOf(text).flatMap((specifier) =>
			allowed.has(specifier) || resolveImport(path, specifier)?.startsWith(sqlStore) ? [] : [`${path} imports ${specifier}`],
		),
	);
	expect(strange).toEqual([]);
	expect(inside.length).toBeGreaterThan(20);
});

test("every folder of core has its layer, and every layer its folder", () => {
	const folders = new Set(files.filter(({ path }) => path.startsWith("core/")).map(({ path }) => folderOf(path)));
	expect([...folders].toSorted()).toEqual(Object.keys(coreLayers).toSorted());
});

test("a format knows nothing of Cairn but its blocks", () => {
	const inFormats = files.filter(({ path }) => path.startsWith(formats));
	const strange = inFormats.flatMap(({ path, text }) => {
		const whole = /from "cairn-memory[/"]/.test(text.replaceAll(/^import (?:type )?\{[^}]*\} from "cairn-memory(?:\/words)?";/gm, "")) ? ["*"] : [];
		return [...namesOf(text).filter((name) => name !== "" && !blockWords.has(name)), ...whole].map((name) => `${path} imports ${name}`);
	});
	expect(strange).toEqual([]);
	const known = new Set(inFormats.flatMap(({ text }) => namesOf(text)));
	expect([...blockWords].filter((name) => !known.has(name))).toEqual([]);
});

test("no format uses another that uses it in turn", () => {
	const formatOf = (path: string) => path.split("/")[2] ?? "";
	const uses = new Map<string, Set<string>>();
	for (const { path, text } of files.filter(({ path }) => path.startsWith(formats))) {
		const targets = importsOf(text).map((specifier) => resolveImport(path, specifier));
		const others = targets.filter((target) => target?.startsWith(formats)).map((target) => formatOf(target ?? ""));
		uses.set(formatOf(path), new Set([...(uses.get(formatOf(path)) ?? []), ...others.filter((other) => other !== formatOf(path))]));
	}
	expect(uses.size).toBeGreaterThan(15);
	expect(circlesIn(uses)).toEqual([]);
	expect(circlesIn(new Map(Object.entries({ a: new Set(["b"]), b: new Set(["c"]), c: new Set(["b"]) })))).toEqual(["b", "c"]);
});

/** What is left when all that uses nothing that is left has been taken away, and all that nothing left uses. */
function circlesIn(uses: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
	const left = new Set(uses.keys());
	for (let size = -1; size !== left.size; ) {
		size = left.size;
		for (const one of left) {
			const isUsed = [...left].some((other) => uses.get(other)?.has(one));
			if (!isUsed || ![...(uses.get(one) ?? [])].some((other) => left.has(other))) left.delete(one);
		}
	}
	return [...left];
}

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
		["core/plugin/planted.ts", 'import type { Ranking } from "../ranking/fuse.ts";'],
		["core/plugin/planted.ts", 'import { fuse } from "../ranking/fuse.ts";'],
		["core/search/planted.ts", 'import type { AddRequest } from "../ingest/receive.ts";'],
		["core/ingest/planted.ts", 'import type { Service } from "../service.ts";'],
		["core/planted/planted.ts", 'import type { Memory } from "../model/memory.ts";'],
		["core/search/planted.ts", 'export * from "../../server/app.ts";'],
		["core/search/planted.ts", 'const zod = await import("zod");'],
		["plugins/extractors/planted/index.ts", 'import { fail } from "../../../core/errors/fail.ts";'],
		["plugins/extractors/planted/index.ts", 'import type { Settings } from "../../../server/settings/settings.ts";'],
		["plugins/extractors/planted/index.ts", 'const engine = new URL("../../../server/boot/engine.ts", import.meta.url);'],
		["plugins/extractors/planted/index.ts", `import other from "../${pluginFolder()}";`],
		["plugins/embedders/planted/index.ts", 'import { trainModel } from "../../../models/train/train-model.ts";'],
		["plugins/extractors/planted/index.ts", 'import fastCheck from "fast-check";'],
		["plugins/formats/planted/engine.ts", 'import { handOver } from "../../extractors/read-in-sandbox.ts";'],
		["plugins/formats/planted/engine.ts", 'import { fail } from "../../../core/errors/fail.ts";'],
		["plugins/extractors/planted/index.ts", 'import { demand } from "cairn-memory/contract";'],
		["console/planted.tsx", 'import { createApp } from "../server/app.ts";'],
		["console/planted.tsx", 'import type { Document } from "../core/model/document.ts";'],
		["server/planted.ts", 'import { App } from "../console/app.tsx";'],
		["server/planted.ts", 'import "../plugins/stores/ram/index.ts";'],
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

test("a plugin author has at most a hundred names to learn; text tools and stores have doors of their own", async () => {
	const names = [...(await textOf("core/index.ts")).matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = ""]) => list.split(","));
	expect(await textOf("core/index.ts")).not.toMatch(/^export (?:type )?\*/m);
	expect(names.length).toBeLessThanOrEqual(100);
	expect(names.length).toBeGreaterThan(50);
});
