/** Log lines: one per event, nothing secret, nothing that a terminal would obey. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { fail } from "../../../core/errors/fail.ts";
import { createLog } from "../../../server/boot/log.ts";

const at = new Date("2026-01-02T03:04:05.678Z");

function linesOf(use: (log: ReturnType<typeof createLog>) => void, format: "text" | "json" = "json", level: "debug" | "warn" = "debug"): string[] {
	const lines: string[] = [];
	use(createLog({ level, write: (line) => lines.push(line), format, now: () => at }));
	return lines;
}

test("a line is one JSON object with time, level, message and facts", () => {
	const [line = ""] = linesOf((log) => log("info", "fetched", { bytes: 3, ok: true, at: "not this one", none: null }));
	expect(JSON.parse(line)).toEqual({ at: at.toISOString(), level: "info", message: "fetched", bytes: 3, ok: true, none: null });
	expect(line.endsWith("}\n")).toBe(true);
});

test("a person reads time, level, message and facts", () => {
	expect(linesOf((log) => log("warn", "slow disk", { ms: 12, file: "a b", plain: "x" }), "text")).toEqual([
		'03:04:05.678 warn  slow disk ms=12 file="a b" plain=x\n',
	]);
});

test("what is below the level is not written", () => {
	const lines = linesOf(
		(log) => {
			log("debug", "a");
			log("info", "b");
			log("warn", "c");
			log("error", "d");
		},
		"json",
		"warn",
	);
	expect(lines.map((line) => JSON.parse(line).message)).toEqual(["c", "d"]);
});

test("keys are not written, wherever they stand", () => {
	const key = "sm_AbCd1234_efgh-5678";
	for (const format of ["json", "text"] as const) {
		const lines = linesOf((log) => {
			log("info", `key ${key} used`, { header: `Bearer ${key}`, other: "Bearer eyJhbGciOi.x.y", deep: { list: [`x=${key}`] }, error: new Error(`no ${key}`) });
			log("info", "named", { apiKey: "hunter2", authorization: "hunter2", deep: { password: "hunter2", access_token: "hunter2" }, keyId: "k1", tokens: 7 });
		}, format);
		const text = lines.join("");
		for (const secret of ["AbCd1234", "eyJhbGciOi", "hunter2"]) expect(text).not.toContain(secret);
		expect(text).toContain("sm_…");
		expect(text).toContain("k1");
		expect(text).toContain("7");
	}
});

test("no text makes a second line or speaks to the terminal", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary", maxLength: 50 }), fc.constantFrom("json" as const, "text" as const), (text, format) => {
			const nasty = `${text}\r\n{"level":"error"}\u001b[31m\u2028\u0085\u202e`;
			const [line = "", ...others] = linesOf((log) => log("info", nasty, { fact: nasty, [nasty]: 1 }), format);
			expect(others).toEqual([]);
			expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
			if (format === "json") expect(JSON.parse(line).level).toBe("info");
		}),
		{ seed: 2, numRuns: 200 },
	);
});

test("an error shows its code and its causes; a circle, bytes and a long text stay short", () => {
	const circle: Record<string, unknown> = {};
	circle["self"] = circle;
	const [line = ""] = linesOf((log) =>
		log("error", "broken", { error: fail("FILE_ENCRYPTED").because(new Error("inner")), circle, bytes: new Uint8Array(9), big: 10n, long: "x".repeat(99_999) }),
	);
	const facts = JSON.parse(line);
	expect(facts.error).toMatchObject({ name: "ServiceError", code: "FILE_ENCRYPTED", cause: { message: "inner" } });
	expect(facts.bytes).toBe("9 bytes");
	expect(facts.big).toBe("10");
	expect(line.length).toBeLessThan(12_000);
});
