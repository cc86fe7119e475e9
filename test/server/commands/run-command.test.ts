/** The words behind `cairn`: which of them are commands, what help shows, and what somebody reads who mistypes one. */

import { expect, test } from "bun:test";
import { isCommand } from "../../../server/commands/is-command.ts";
import { runCommand } from "../../../server/commands/run-command.ts";
import { definitions } from "../../../server/settings/definitions.ts";
import { builtinDefinitions } from "../../../server/settings/plugin-settings.ts";
import { version } from "../../../server/version.ts";

const all = [...Object.values(definitions), ...builtinDefinitions];

async function run(...words: readonly string[]): Promise<string> {
	const printed: string[] = [];
	expect(await runCommand({ args: words, env: {}, write: (text) => printed.push(text), writeError: (text) => printed.push(text) })).toBe(0);
	return printed.join("");
}

test("flags alone start a server; any other word is meant as a command", () => {
	expect([undefined, "--port", "--port=0"].map(isCommand)).toEqual([false, false, false]);
	expect(["models", "eval", "--help", "-h", "--version", "modles"].map(isCommand)).toEqual([true, true, true, true, true, true]);
});

test("help names every command and every setting, however it is asked for", async () => {
	const help = await run("help");
	for (const { env, flag } of all) expect(help).toMatch(new RegExp(`--${flag} +${env}\\n`));
	for (const name of [
		"eval",
		"models",
		"embedder",
		"export",
		"import",
		"erase",
		"salvage",
		"migrate-store",
		"mcp",
		"add",
		"search",
		"memories",
		"profile",
		"forget",
		"containers",
		"keys",
		"orgs",
		"status",
		"completion",
		"help",
		"version",
	])
		expect(help).toContain(`cairn ${name}`);
	for (const words of [["--help"], ["-h"], ["help", "--help"]]) expect(await run(...words)).toBe(help);
	expect(help).toContain("(./.cairn)");
});

test("eval has a page of its own, and the version is one line", async () => {
	expect(await run("eval", "--help")).toStartWith("usage: cairn eval");
	expect(await run("--version")).toBe(`${version}\n`);
});

test("asked for help, a command says what it does, and nothing of the others", async () => {
	expect(await run("search", "ferry", "--help")).toBe(`cairn search QUESTION
      searches documents
      --limit N            the most results
      --container TAG      the container tag (CAIRN_CONTAINER)
      --json               prints the server's response as JSON
`);
	const models = await run("models", "-h");
	expect(models.split("\n").map((line) => line.slice(0, 13))).toEqual([...Array(4).fill("cairn models "), ""]);
	expect(await run("import", "--help")).toMatch(/^cairn import FILE .+\ncairn import FOLDER\|FILE --from SOURCE\n/);
});

test("a command that is misspelt is answered with the one that was meant", async () => {
	for (const [word, meant] of [
		["modles", "models"],
		["serach", "search"],
	] as const) {
		await expect(run(word)).rejects.toMatchObject({ code: "COMMAND_INVALID", message: `there is no command ${word}; did you mean "cairn ${meant}"?` });
	}
});

test("a command that is none is answered with those that there are", async () => {
	for (const word of ["frobnicate", "constructor", "__proto__"]) {
		await expect(run(word)).rejects.toMatchObject({
			code: "COMMAND_INVALID",
			message: expect.stringMatching(/^there is no command .+; the commands are eval, models, embedder/),
		});
	}
});
