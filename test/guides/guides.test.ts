/** Every guide does what it says: its commands are run in order, and what it shows is printed. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { rootFolder } from "../../scripts/checks.ts";
import { type Asked, type ModelServer, startModelServer } from "../doubles/model-server.ts";
import { followGuide } from "./guide.ts";

const patienceMs = 120_000;
const guides = ["agent-memory", "rag", "chat-app", "plugin", "production"];

let model: ModelServer;
beforeAll(() => {
	model = startModelServer(repeating);
});
afterAll(() => model.stop());

/** Says what it was handed as known, so that an answer shows what reached the model. */
function repeating({ system, prompt }: Asked): Response {
	const content = `You asked: ${prompt.split("\n")[0]} I was told: ${system.replaceAll(/\s+/g, " ")}`;
	return Response.json({ choices: [{ message: { role: "assistant", content } }] });
}

test("every guide is followed", async () => {
	expect((await readdir(`${rootFolder}docs/guides`)).toSorted()).toEqual(guides.map((name) => `${name}.md`).toSorted());
});

for (const name of guides) {
	test(
		`${name}: what it tells to do works, and prints what it shows`,
		async () => {
			const page = await Bun.file(`${rootFolder}docs/guides/${name}.md`).text();
			const { missing, blocks } = await followGuide(page, { MODEL_URL: model.baseUrl, MODEL: "stand-in" });
			expect(missing).toEqual([]);
			expect(blocks).toBeGreaterThan(5);
		},
		patienceMs,
	);
}

describe("a guide that is wrong is found out", () => {
	const page = (...blocks: readonly (readonly [string, string])[]) => blocks.map(([about, code]) => `\`\`\`${about}\n${code}\n\`\`\`\n`).join("\n");
	const failure = (text: string) => followGuide(text).then(() => "", String);

	test("by a line that nothing prints", async () => {
		const { missing } = await followGuide(page(["sh", "echo one; echo two"], ["text", "one\nt…o\nthree"]));
		expect(missing.map(({ line }) => line)).toEqual(["three"]);
	});

	test("by a command that fails, also in the middle of a block", async () => {
		expect(await failure(page(["sh", "false\necho on"]))).toContain("this ended with 1");
		expect(await failure(page(["sh", "no-such-program"]))).toContain("this ended with 127");
	});

	test("by a listing that names no file", async () => {
		expect(await failure(page(["js", "1"]))).toContain("names no file");
	});
});
