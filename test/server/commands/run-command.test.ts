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
	for (const words of [["--help"], ["-h"], ["models", "--help"], ["embedder", "-h"]]) expect(await run(...words)).toBe(help);
	expect(help).toContain("(./.cairn)");
});

test("eval has a page of its own, and the version is one line", async () => {
	expect(await run("eval", "--help")).toStartWith("usage: cairn eval");
	expect(await run("--version")).toBe(`${version}\n`);
});

test("a command that is none is answered with those that there are", async () => {
	for (const word of ["modles", "constructor", "__proto__"]) {
		await expect(run(word)).rejects.toMatchObject({
			code: "COMMAND_INVALID",
			message: expect.stringMatching(/^there is no command .+; the commands are eval, models, embedder/),
		});
	}
});
