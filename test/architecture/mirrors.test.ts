/** Every plugin that ships has a test in its mirror place, a line in docs/plugins.md and an entry in builtin-plugins.ts, and nothing else has. */

import { expect, test } from "bun:test";
import { isPluginDoor, pluginName, sourceFiles, sourcePaths, textOf } from "./source.ts";

const doors = (await sourceFiles()).filter(isPluginDoor).map(({ path }) => path);
const names = doors.map(pluginName).toSorted();

test("every plugin has a test of its name", async () => {
	const tests = await sourcePaths(["test.ts"]);
	const untested = names.filter((name) => !tests.some((path) => path === `test/plugins/${name}.test.ts` || path.startsWith(`test/plugins/${name}/`)));
	expect(untested).toEqual([]);
	expect(names.length).toBeGreaterThan(5);
});

test("docs/plugins.md lists exactly the plugins there are", async () => {
	const links = [...(await textOf("docs/plugins.md")).matchAll(/\]\(\.\.\/(plugins\/[^)#]+)\)/g)].map((found) => found[1] ?? "");
	const listed = links.map((link) => pluginName(link.replace(/\/$/, ""))).filter((name) => name.includes("/") && !name.startsWith("formats/"));
	expect([...new Set(listed)].toSorted()).toEqual(names);
});

test("server/boot/builtin-plugins.ts imports exactly the plugins there are", async () => {
	const text = await textOf("server/boot/builtin-plugins.ts");
	const imported = [...text.matchAll(/["']\.\.\/\.\.\/(plugins\/[^"']+)["']/g)].map((found) => pluginName(found[1] ?? ""));
	expect([...new Set(imported)].toSorted()).toEqual(names);
});

test("every file in plugins/ belongs to a plugin or serves one kind", async () => {
	const paths = (await sourcePaths(["ts"])).filter((path) => path.startsWith("plugins/"));
	const homeless = paths.filter(
		(path) => path.split("/").length > 3 && !/^plugins\/(?:formats|stores\/sql)\//.test(path) && !names.includes(path.split("/").slice(1, 3).join("/")),
	);
	expect(homeless).toEqual([]);
});

test("the door of an extractor is short: what is known of a format lives in plugins/formats/", async () => {
	const extractors = doors.filter((path) => path.startsWith("plugins/extractors/"));
	const lines = await Promise.all(extractors.map(async (path) => ({ path, lines: (await textOf(path)).trimEnd().split("\n").length })));
	expect(lines.filter(({ lines }) => lines > 40)).toEqual([]);
	expect(lines.length).toBeGreaterThan(10);
});

test("every format says in about ten lines what it reads, and nothing lies beside the formats", async () => {
	const paths = await sourcePaths(["ts", "md"]);
	const folders = new Set(paths.filter((path) => path.startsWith("plugins/formats/")).map((path) => path.split("/")[2] ?? ""));
	for (const folder of folders) expect((await textOf(`plugins/formats/${folder}/README.md`)).split("\n").length, folder).toBeWithin(6, 20);
	expect(folders.size).toBeGreaterThan(15);
	const loose = Map.groupBy(
		paths.filter((path) => /^plugins\/(?:formats|extractors)\//.test(path)),
		(path) => path.replace(/\/[^/]*$/, ""),
	);
	expect([...loose].filter(([, files]) => files.length > 20).map(([folder]) => folder)).toEqual([]);
});
