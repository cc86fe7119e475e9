/** What a builder built is either in use, or the log says why it is not and nothing of it is left. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildFiles } from "../../../../plugins/stores/sqlite/index-files/build-files.ts";

let folder = "";
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-build-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program that leaves a file and then does as it is told. */
async function build(program: string, publish: () => Promise<void>) {
	const script = join(folder, "builder.ts");
	await writeFile(script, `await Bun.write(${JSON.stringify(join(folder, "half"))}, "x");\n${program}`);
	const told: (readonly [message: string, complaint: unknown])[] = [];
	const isBuilt = await buildFiles(
		{
			what: "a thing",
			details: {},
			script: pathToFileURL(script),
			taskOf: () => ({}),
			leftoversOf: () => [join(folder, "half")],
			publish,
			removeOtherGenerations: async () => undefined,
		},
		new AbortController().signal,
		(_level, message, facts = {}) => told.push([message, facts["complaint"]]),
	);
	return { isBuilt, last: told.at(-1), isLeft: existsSync(join(folder, "half")) };
}

test("what was built is used", async () => {
	expect(await build("console.log('{}');", async () => undefined)).toMatchObject({ isBuilt: true, last: ["built a thing", undefined], isLeft: true });
});

test.each([
	["what cannot be believed", "console.log('{}');", "the count is wrong"],
	["what is no JSON", "console.log('{');", "JSON"],
	["a builder that fails", "throw new Error('no room on the disk');", "no room on the disk"],
])("%s is told with its reason, and nothing of it is left", async (_name, program, reason) => {
	const { isBuilt, last, isLeft } = await build(program, async () => {
		throw new Error("the count is wrong");
	});
	expect({ isBuilt, isLeft, message: last?.[0] }).toEqual({ isBuilt: false, isLeft: false, message: "a thing could not be built" });
	expect(String(last?.[1])).toContain(reason);
});
