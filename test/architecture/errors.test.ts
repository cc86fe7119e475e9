/** The list of errors is sorted, complete and the same as docs/errors.md, code by code, both ways. */

import { describe, expect, test } from "bun:test";
import { catalog, type ErrorCode, kinds } from "../../core/errors/catalog.ts";
import { ServiceError } from "../../core/errors/fail.ts";
import { statusFor } from "../../server/wire/responses/error.ts";
import { textOf } from "./source.ts";

const codes = Object.keys(catalog) as ErrorCode[];
const page = await textOf("docs/errors.md");
const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| ([a-z-]+) \| (\d{3}) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
	([, code = "", kind = "", status = "", meaning = "", remedy = ""]) => ({
		code,
		kind,
		status: Number(status),
		meaning: meaning.trim(),
		remedy: remedy.trim(),
	}),
);

describe("the catalog", () => {
	test("is sorted by code", () => expect(codes).toEqual(codes.toSorted()));

	test("says what is wrong in a message that can be continued: no final stop, no blank at either end", () => {
		for (const code of codes) {
			const { message, hint = "fine" } = catalog[code] as { message: string; hint?: string };
			expect(message).toMatch(/^\S.*[^.\s]$|^%s$/);
			expect(hint).toMatch(/^\S.*[^.\s]$/);
		}
	});

	test("uses no kind that is not known", () => {
		for (const code of codes) expect(kinds).toContain(catalog[code].kind);
	});
});

describe("docs/errors.md", () => {
	test("lists exactly the codes of the catalog, in the same order, with kind and status", () => {
		const expected = codes.map((code) => ({ code, kind: catalog[code].kind as string, status: statusFor(new ServiceError(code, [])) }));
		expect(rows.map(({ code, kind, status }) => ({ code, kind, status }))).toEqual(expected);
	});

	test("says for every code what it means and what to do", () => {
		for (const { meaning, remedy } of rows) {
			expect(meaning).toMatch(/^[A-Z].{10,}\.$/s);
			expect(remedy).toMatch(/^[A-Z].{5,}\.$/s);
		}
	});

	test("describes every kind", () => {
		for (const kind of kinds) expect(page).toMatch(new RegExp(`^\\| ${kind} \\|`, "m"));
	});
});
