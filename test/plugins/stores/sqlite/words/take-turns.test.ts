/** Whoever has asked for much waits for himself. */

import { expect, test } from "bun:test";
import { takeTurns } from "../../../../../plugins/stores/sqlite/words/take-turns.ts";

const settled = async () => {
	for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
};

test("each has one question begun before anybody has the next, in the order of asking", async () => {
	const begun: string[] = [];
	const turns = takeTurns<string>((asked) => begun.push(asked));
	for (const i of [1, 2, 3]) turns.put("much", `much ${i}`);
	turns.put("little", "little 1");
	turns.put("other", "other 1");
	turns.put("little", "little 2");
	await settled();
	expect(begun).toEqual(["much 1", "much 2", "little 1", "other 1", "much 3", "little 2"]);
	turns.put("much", "much 4");
	expect(begun.at(-1)).toBe("much 4");
});

test("between any two of them something else has its turn", async () => {
	const events: string[] = [];
	const turns = takeTurns<string>((asked) => events.push(asked));
	for (let i = 0; i < 3; i++) turns.put("one", "asked");
	for (let i = 0; i < 3; i++) {
		events.push("else");
		await new Promise((resolve) => setImmediate(resolve));
	}
	await settled();
	expect(events).toEqual(["asked", "else", "asked", "else", "asked", "else"]);
});
