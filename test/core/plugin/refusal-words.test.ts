/** The words of services that refuse: what is shown of them, and how long they ask to wait. */

import { expect, test } from "bun:test";
import { askedPauseMs, refusalWords, withoutSecrets } from "cairn-memory";

test("what was sent as a key is gone, in any form and any spelling of JSON", () => {
	const headers = { Authorization: "Bearer ab/cdef-1", "x-api-key": "zz9 plural", "content-type": "application/json" };
	const said = 'Bearer ab/cdef-1 or ab/cdef-1 or "ab\\/cdef-1" or zz9 plural; send application/json';
	expect(withoutSecrets(said, headers)).toBe('… or … or "…" or …; send application/json');
});

test("what is too short for a key stays: it may be any word", () => {
	expect(withoutSecrets("no model of that name", { authorization: "Bearer model" })).toBe("no model of that name");
});

test("what looks like a key goes as well, and words stay", () => {
	expect(refusalWords("Incorrect API key\n provided: sk-proj-ab**12; AIzaSyD-1234; Bearer a.b-c_d")).toBe("Incorrect API key provided: …; …; …");
	expect(refusalWords("the key of this model is not valid")).toBe("the key of this model is not valid");
});

test("it is one line of bounded length", () => {
	expect(refusalWords(`a\n\tb ${"x".repeat(500)}`)).toMatch(/^a b x{196}…$/);
});

test("a pause is asked for in seconds or as a date", () => {
	const now = new Date("2024-05-01T10:00:00Z");
	const pauses = ["1.5", " 20 ", "Wed, 01 May 2024 10:01:00 GMT", "Wed, 01 May 2024 09:00:00 GMT", "", "soon", null].map((given) => askedPauseMs(given, now));
	expect(pauses).toEqual([1_500, 20_000, 60_000, 0, null, null, null]);
});
