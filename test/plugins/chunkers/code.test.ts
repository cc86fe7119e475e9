/** The chunker of code: whole functions, the names around them, in many languages; the contract tests. */

import { expect, test } from "bun:test";
import type { Block, ChunkDraft, Chunker, Extraction } from "cairn-memory";
import codePlugin from "../../../plugins/chunkers/code/index.ts";
import { chunkerContract } from "../../contract/chunker-contract.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { headedExtraction, plainExtraction } from "../../contract/samples-text.ts";
import { partOf } from "../../contract/start.ts";
import { createStep } from "../../doubles/step.ts";

const start = (): Promise<Chunker> => partOf(codePlugin(), "chunker");
for (const contractTest of [...pluginContract(codePlugin), ...chunkerContract(start)]) test(contractTest.name, contractTest.check);

function extractionOf(text: string, language: string | null): Extraction {
	const block: Block = { kind: "code", language, text, headings: [], place: { span: [3, 3 + text.length] } };
	return { ...plainExtraction, blocks: [block], text: `...${text}` };
}

async function chunk(text: string, language: string | null, charactersWanted = 120, charactersMax = 2_000): Promise<readonly ChunkDraft[]> {
	return (await start()).chunk(extractionOf(text, language), { charactersMax, charactersWanted }, createStep());
}

/** What each chunk is indexed under, and the line of code it begins with. */
async function shape(text: string, language: string | null, wanted?: number) {
	return (await chunk(text, language, wanted)).map((draft) => {
		const [first = ""] = draft.text.split("\n").slice(1);
		return [draft.indexedText.slice(0, draft.indexedText.length - draft.text.length).trim(), first.trim()];
	});
}

const filler = (count: number, line: string) => Array.from({ length: count }, (_, at) => line.replaceAll("#", `${at}`)).join("\n");

test("recognizes what is mostly code and has no headings", async () => {
	const { recognizes } = await start();
	expect(recognizes?.(extractionOf("a\nb", "go"))).toBeTrue();
	expect(recognizes?.(plainExtraction)).toBeFalse();
	expect(recognizes?.(headedExtraction)).toBeFalse();
});

test("a function is whole, with the comment before it, and indexed under its class", async () => {
	const text = `import a from "a";\n\n/** Keeps the light. */\nexport class Keeper {\n\treadonly #lamp = "{ ( [";\n\n\t/** Lights it. */\n\tasync light(at: Date): Promise<void> {\n${filler(3, `\t\tthis.step#(at, \`\${at}}\`);`)}\n\t}\n\n\t@logged({\n\t\tlevel: 1,\n\t})\n\tput(out: () => void) {\n${filler(3, "\t\tout(/[{(]#/);")}\n\t}\n}\n\nexport const tail = 1;\n`;
	expect(await shape(text, "typescript")).toEqual([
		["", 'import a from "a";'],
		["Keeper", "/** Keeps the light. */"],
		["Keeper › light", "/** Lights it. */"],
		["Keeper › put", "@logged({"],
		["", "export const tail = 1;"],
	]);
	for (const { place, text: shown } of await chunk(text, "typescript")) {
		const [begin = 0, end = 0] = place.span ?? [];
		expect(shown).toContain(`...${text}`.slice(begin, end).trim());
	}
});

test("what is small stays together, what has no syntax is cut between lines", async () => {
	expect(await shape(filler(4, "const a# = #;"), "javascript", 1_000)).toEqual([["", "const a0 = 0;"]]);
	const long = await chunk(`data = """\n${filler(200, "row # of the data")}\n"""\n`, "python", 300);
	expect(long.length).toBeGreaterThan(1);
	for (const { text } of long) expect(text).toEndWith("\n```");
});

const body = (line: string) => filler(12, line);

test.each([
	[
		"python",
		`import os\n\n\nclass Keeper(Base):\n    """Keeps: def x."""\n\n    @property\n    def lamp(self):\n${body("        step(#)")}\n\n    async def out(self):\n${body("        step(#)")}\n`,
		["Keeper › lamp", "Keeper › out"],
	],
	[
		"go",
		`package main\n\ntype Keeper struct {\n\tname string\n}\n\nfunc (k *Keeper) Light() error {\n${body("\tstep(#)")}\n}\n\nfunc main() {\n${body("\tstep('{', #)")}\n}\n`,
		["Keeper.Light", "main"],
	],
	[
		"rust",
		`use std::io;\n\nimpl<'a> Lamp for Keeper<'a> {\n    /// Lights.\n    pub fn light(&'a self) {\n${body("        step('{', #);")}\n    }\n\n    #[inline]\n    fn out(&self) {\n${body("        step(#);")}\n    }\n}\n`,
		["Lamp for Keeper › light", "Lamp for Keeper › out"],
	],
	[
		"java",
		`package a;\n\n@Service\npublic class Keeper extends Base {\n    @Override\n    public void light(int at) {\n${body("        step(#);")}\n    }\n\n    private static Map<String, Integer> out() {\n${body("        step(#);")}\n    }\n}\n`,
		["Keeper › light", "Keeper › out"],
	],
	[
		"c",
		`#include <stdio.h>\n\nstatic int light(struct lamp *at)\n{\n${body("\tstep('}', #);")}\n}\n\nint main(void) {\n${body("\tstep(#);")}\n}\n`,
		["light", "main"],
	],
	[
		"cpp",
		`namespace sea {\n\ntemplate <typename T>\nclass Keeper {\n public:\n  void light(T at) {\n${body("    step(#);")}\n  }\n};\n\n}  // namespace sea\n\nvoid sea::Keeper::out() {\n${body("  step(#);")}\n}\n`,
		["sea › Keeper › light", "sea::Keeper::out"],
	],
	[
		"ruby",
		`module Sea\n  class Keeper\n    def light(at)\n${body("      step #")}\n    end\n\n    def self.out?\n${body("      step #")}\n    end\n  end\nend\n`,
		["Sea › Keeper › light", "Sea › Keeper › self.out?"],
	],
	[
		"php",
		`<?php\n\nclass Keeper\n{\n    public function light(int $at): void\n    {\n${body("        step(#); // it's")}\n    }\n}\n\nfunction out() {\n${body("    step(#);")}\n}\n`,
		["Keeper › light", "out"],
	],
	[
		"bash",
		`#!/bin/bash\nset -e\n\nlight() {\n${body('  step "# of $1"')}\n}\n\nfunction out {\n  cat <<END\n}\nEND\n${body("  step #")}\n}\n`,
		["light", "out"],
	],
	[
		"csharp",
		`namespace Sea\n{\n    public sealed class Keeper\n    {\n        public async Task Light(int at)\n        {\n${body("            Step(#);")}\n        }\n    }\n}\n`,
		["Sea › Keeper › Light"],
	],
	[
		"kotlin",
		`class Keeper(val name: String) {\n    fun light(at: Int) {\n${body("        step(#)")}\n    }\n}\n\nsuspend fun out() {\n${body("    step(#)")}\n}\n`,
		["Keeper › light", "out"],
	],
	[
		"sql",
		`CREATE TABLE lamps (\n${body("  a# int,")}\n  b int\n);\n\nCREATE OR REPLACE FUNCTION light(a int)\nRETURNS int\nAS $$\n${body("  SELECT #;")}\n$$ LANGUAGE sql;\n`,
		["lamps", "light"],
	],
] as const)("%s is cut along its functions", async (language, text, paths) => {
	const found = (await shape(text, language, 160)).map(([path]) => path);
	for (const path of paths) expect(found).toContain(path);
});

test("prose between code is kept with it", async () => {
	const code: Block = { kind: "code", language: "js", text: "f();", headings: [], place: {} };
	const words: Block = { kind: "paragraph", text: "Then it runs.", headings: [], place: {} };
	const drafts = await (await start()).chunk({ ...plainExtraction, blocks: [code, words, code], text: "" }, { charactersMax: 500 }, createStep());
	expect(drafts.map(({ text }) => text)).toEqual(["```js\nf();\n```\n\nThen it runs.\n\n```js\nf();\n```"]);
});

test("code that never closes anything, or nests without end, takes bounded time", async () => {
	for (const text of [
		"{".repeat(300_000),
		`${"{\n".repeat(20_000)}a\n${"}\n".repeat(20_000)}`,
		"`${".repeat(100_000),
		"a = '\n".repeat(50_000),
		"<<A\n".repeat(20_000),
		"class ".repeat(50_000),
	]) {
		expect((await chunk(text, "typescript", 1_000)).length).toBeGreaterThan(0);
		expect((await chunk(text, "bash", 1_000)).length).toBeGreaterThan(0);
	}
});
