/** Names, first lines and words of every source file are as CONTRIBUTING.md asks. */

import { expect, test } from "bun:test";
import { sourceFiles, sourcePaths } from "./source.ts";

const files = await sourceFiles();
const paths = await sourcePaths(["ts", "tsx", "mjs", "css", "sql", "md", "json", "yaml"]);

/** Put together so that this file does not hold them. */
const unfinished = new RegExp(`\\b(?:${["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"].join("|")})\\b`);
/** The folder of "someone" is nobody's. */
const machinePath = /(?<![\w.:/-])\/(?:home|Users|root|tmp|private|var\/folders)\/(?!someone\b)[\w.-]|\b[A-Z]:\\+Users/;

/** Such a check may fail when nobody looks any more. */
const unawaited = /^\s*(?:(?:for|if|while) \(.*\) )?expect\(.*\.(?:rejects|resolves)\./;

/** `until` looks for as long as a slow machine may take, and says what it has waited for. */
const countedWait = /\bfor \(let \w+ = 0; .* && .*\bBun\.sleep\(/;

function offenders(pattern: RegExp): readonly string[] {
	return files.flatMap(({ path, text }) => text.split("\n").flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1} ${line.trim()}`] : [])));
}

test("files and folders are in kebab-case, with a name that says what is inside", () => {
	const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;
	const usual = /^(README\.md|[0-9]{4}[-_][a-z0-9_-]+\.(sql|yaml))$/;
	const odd = paths.filter((path) => path.split("/").some((part) => !kebab.test(part) && !usual.test(part)));
	expect(odd).toEqual([]);
	expect(paths.filter((path) => path.split("/").some((part) => ["utils", "helpers", "common", "shared", "lib", "types"].includes(part)))).toEqual([]);
});

test("a folder of core and of the server has at most twenty files of its own", () => {
	const folders = Map.groupBy(
		paths.filter((path) => path.startsWith("core/") || path.startsWith("server/")),
		(path) => path.slice(0, path.lastIndexOf("/")),
	);
	expect([...folders].filter(([, own]) => own.length > 20).map(([folder]) => folder)).toEqual([]);
});

test("every file begins by saying what it is for", () => {
	// What a test is for stands in its name and its titles.
	const spoken = files.filter(({ path }) => !/\.(d|test)\.ts$/.test(path));
	const silent = spoken.filter(({ text }) => !text.replace(/^#!.*\n/, "").startsWith("/**"));
	expect(silent.map(({ path }) => path)).toEqual([]);
});

test("nothing is left unfinished", () => expect(offenders(unfinished)).toEqual([]));

test("no path of one machine is written down", () => expect(offenders(machinePath)).toEqual([]));

test("what a promise shall come to is waited for", () => expect(offenders(unawaited)).toEqual([]));

test("a wait ends with a state and not after a number of looks", () => expect(offenders(countedWait)).toEqual([]));

test("the patterns would find what they look for", () => {
	expect(countedWait.test(`\tfor (let i = 0; i < 500 && !isDone(); i++) await Bun.${"sleep"}(10);`)).toBe(true);
	expect(unawaited.test(`\texpect(read()).${"rejects"}.toThrow();`)).toBe(true);
	for (const begin of ["await ", "return ", "const waiting = ", "() => "])
		expect(unawaited.test(`\t${begin}expect(read()).${"rejects"}.toThrow();`)).toBe(false);
	expect(unfinished.test(`// ${"TO" + "DO"}: later`)).toBe(true);
	expect(unfinished.test("the method is called todos")).toBe(false);
	for (const folder of ["home", "tmp", "Users"]) expect(machinePath.test(`open("/${folder}/anna")`)).toBe(true);
	for (const text of ["https://example.org/home/page", "./tmp/file", "src/root/x"]) expect(machinePath.test(text)).toBe(false);
});
