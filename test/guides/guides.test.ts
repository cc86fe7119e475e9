/** Every guide does what it says: its commands are run in order, and what it shows is printed. */

import { afterAll, beforeAll, expect, test } from "bun:test";
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
			const { missing, blocks } = await followGuide(name, { MODEL_URL: model.baseUrl, MODEL: "stand-in" });
			expect(missing).toEqual([]);
			expect(blocks).toBeGreaterThan(5);
		},
		patienceMs,
	);
}
