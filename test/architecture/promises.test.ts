/** Every promise of docs/promises.md names tests that are there, says how far it is held, and the README names the page. */

import { describe, expect, test } from "bun:test";
import { textOf } from "./source.ts";

const page = await textOf("docs/promises.md");
const sections = page.split(/^## /m).slice(1);
const numbers = Array.from({ length: 10 }, (_, i) => `P${i + 1}`);

test("there are ten, each once in the table and once below it, in order", () => {
	expect([...page.matchAll(/^\| (P\d+) \|/gm)].map(([, number]) => number)).toEqual(numbers);
	expect(sections.map((section) => section.split(" ", 1)[0])).toEqual(numbers);
});

describe("of each promise", () => {
	for (const section of sections) {
		const number = section.split(" ", 1)[0] ?? "";
		const state = new RegExp(`^\\| ${number} \\|.*\\| (held|partly) \\|$`, "m").exec(page)?.[1];

		test(`${number}: the command names test files that are there and have tests`, async () => {
			const command = /```sh\nnpm test -- (.+)\n```/.exec(section)?.[1] ?? "";
			const files = command.split(" ").filter((file) => file !== "");
			expect(files.length).toBeGreaterThan(0);
			for (const file of files) expect([file, /\btest\(|Contract|testAll/.test(await textOf(file))]).toEqual([file, true]);
		});

		test(`${number}: the table says what the section says, and what is partly held says what was not tried`, () => {
			if (state === "partly") expect(section).toMatch(/^Partly: .{40,}/m);
			else expect([state, section]).toEqual(["held", expect.stringMatching(/^Held\./m)]);
		});
	}
});

test("the README names the page", async () => {
	expect(await textOf("README.md")).toContain("](docs/promises.md)");
});
