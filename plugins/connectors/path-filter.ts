/** Path patterns of a configuration, such as `/docs/**`, and which paths they include. */

import type { RE2JS } from "re2js";
import { z } from "zod";
import { re2 } from "./re2.ts";

const patternsMax = 50;
const patternCharactersMax = 200;
const patternAdvice = "it should have path patterns separated by commas, such as /docs/**, /blog/*; each begins with a slash and has at most 200 characters";

/** A list, or a text with commas. */
export const patterns = z
	.union([z.string(), z.array(z.string())], { error: patternAdvice })
	.transform((value) => (typeof value === "string" ? value.split(/[,\n]/) : value).map((pattern) => pattern.trim()).filter((pattern) => pattern !== ""))
	.refine((list) => list.length <= patternsMax && list.every((pattern) => pattern.startsWith("/") && pattern.length <= patternCharactersMax), {
		error: patternAdvice,
	})
	.default([]);

export interface PathPatterns {
	/** Empty if every path is included. */
	readonly include: readonly string[];
	readonly exclude: readonly string[];
}

/** Returns a function that says whether a path is included. Patterns are matched by RE2, which takes linear time for any pattern and path. */
export function pathFilter({ include, exclude }: PathPatterns): (path: string) => boolean {
	const [included, excluded] = [include.map(globPattern), exclude.map(globPattern)];
	return (path) => (included.length === 0 || included.some((pattern) => pattern.testExact(path))) && !excluded.some((pattern) => pattern.testExact(path));
}

/** `*` matches within a path segment, `**` across segments, `?` one character. */
function globPattern(glob: string): RE2JS {
	const pieces = glob.split(/(\*\*|\*|\?)/).map((piece) => wildcards.get(piece) ?? re2().quote(piece));
	return re2().compile(`(?s:${pieces.join("")})`);
}

const wildcards: ReadonlyMap<string, string> = new Map([
	["**", ".*"],
	["*", "[^/]*"],
	["?", "[^/]"],
]);
