/** Names of what is inside of a document: they lead nowhere, say what can be seen, and are told apart. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cleanAttachmentPath, fileNameOf, uniquePath } from "../../../core/ingest/attachment-path.ts";
import { limits } from "../../../core/model/limits.ts";

test.each([
	["notes/a.txt", "notes/a.txt"],
	["..\\..\\etc/./passwd", "etc/passwd"],
	["C:\\Windows\\a.txt", "Windows/a.txt"],
	["//host/share/a.txt", "host/share/a.txt"],
	["a\0b\r\n.txt", "a b .txt"],
	["photo\u202egpj.exe", "photo gpj.exe"],
	["../..", "unnamed"],
	["", "unnamed"],
	["a/ /b ", "a/b"],
])("%j is called %j", (written, called) => {
	expect(cleanAttachmentPath(written)).toBe(called);
});

describe("whatever is written", () => {
	const path = fc.oneof(
		fc.string({ unit: "binary", maxLength: 3_000 }),
		fc.array(fc.constantFrom("..", ".", "a", "C:", "/", "\\", "\0", "x".repeat(400))).map((parts) => parts.join("/")),
	);

	test("a name is short, never blank, and leads nowhere", () => {
		fc.assert(
			fc.property(path, (written) => {
				const called = cleanAttachmentPath(written);
				expect(called.length).toBeGreaterThan(0);
				expect(called.length).toBeLessThanOrEqual(limits.filepathCharactersMax);
				expect(called.isWellFormed()).toBe(true);
				expect(called).not.toMatch(/^\/|\/$|\\|\p{Cc}/u);
				for (const segment of called.split("/")) expect(["", ".", ".."]).not.toContain(segment);
				expect(fileNameOf(called).length).toBeLessThanOrEqual(limits.fileNameCharactersMax);
			}),
			{ seed: 3, numRuns: 300 },
		);
	});

	test("twins are told apart, in the order in which they come", () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom("a.txt", "a (2).txt", "b/a.txt", "noending", ".hidden"), { maxLength: 30 }), (names) => {
				const taken = new Set<string>();
				for (const name of names) taken.add(uniquePath(name, taken));
				expect(taken.size).toBe(names.length);
			}),
			{ seed: 4 },
		);
		expect(uniquePath("b.c/a.txt", new Set(["b.c/a.txt"]))).toBe("b.c/a (2).txt");
		expect(uniquePath("b.c/a", new Set(["b.c/a"]))).toBe("b.c/a (2)");
	});
});
