/** The drawing of a graph holds one of the format that it reads, and asks nobody for anything. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { rootFolder } from "../../scripts/checks.ts";
import { jsonGraph } from "../doubles/json-graph-format.ts";

const page = await Bun.file(join(rootFolder, "examples", "memory-graph", "index.html")).text();

test("the graph that it shows at first is JSON Graph Format", () => {
	const shown: unknown = JSON.parse(/<script id="graph"[^>]*>(.*?)<\/script>/s.exec(page)?.[1] ?? "");
	expect([...Value.Errors(jsonGraph, shown)]).toEqual([]);
});

test("it names no address but that of SVG", () => {
	expect([...new Set(page.match(/https?:\/\/[^"'\s]+/g))]).toEqual(["http://www.w3.org/2000/svg"]);
	expect(page).not.toMatch(/\b(?:fetch|XMLHttpRequest|import|innerHTML)\b|<link\b|\bsrc=/);
});
