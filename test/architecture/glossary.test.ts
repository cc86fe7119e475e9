/** docs/glossary.md has every term once, in order, in at most two sentences, and what a term has replaced stands in no identifier. */

import { expect, test } from "bun:test";
import { sourceFiles, textOf } from "./source.ts";

const rows = [...(await textOf("docs/glossary.md")).matchAll(/^\| ([^|`]+) \| ([^|]+) \| ([^|]*)\|$/gm)]
	.map(([, term = "", meaning = "", replaced = ""]) => ({ term, meaning, replaced: [...replaced.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name) }))
	.filter(({ term }) => term !== "Term" && term !== "---");

/** Code without its comments and texts: what is left are identifiers and signs. */
const commentsAndTexts = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

function identifiersOf(text: string): ReadonlySet<string> {
	return new Set(text.replaceAll(commentsAndTexts, " ").match(/[A-Za-z_$][\w$]*/g));
}

test("every term is there once, in alphabetical order", () => {
	const terms = rows.map(({ term }) => term);
	expect(terms).toEqual(terms.toSorted());
	expect(new Set(terms).size).toBe(terms.length);
	expect(terms.length).toBeGreaterThan(40);
});

test("a meaning is one or two sentences", () => {
	const odd = rows.filter(({ meaning }) => !/^[A-Z](?:[^.]|\.\S)*\.(?: [A-Z](?:[^.]|\.\S)*\.)?$/.test(meaning));
	expect(odd.map(({ term }) => term)).toEqual([]);
});

test("what was replaced stands in no identifier any more", async () => {
	const replaced = rows.flatMap((row) => row.replaced);
	const found = (await sourceFiles()).flatMap(({ path, text }) => {
		const identifiers = identifiersOf(text);
		return replaced.filter((name) => identifiers.has(name)).map((name) => `${path}: ${name}`);
	});
	expect(found).toEqual([]);
	expect(replaced.length).toBeGreaterThan(50);
});

test("an identifier is seen, a word in a comment or a text is not", () => {
	expect([...identifiersOf('const rooms = "a bell"; // the law\n/* reach */ open(`drawn`);')]).toEqual(["const", "rooms", "open"]);
});

test("the pages that newcomers read first lead to it", async () => {
	for (const page of ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]) expect(await textOf(page)).toContain("](docs/glossary.md)");
});
