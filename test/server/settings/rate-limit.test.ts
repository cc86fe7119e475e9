/** `CAIRN_RATE_LIMIT`: requests and seconds, off unless it is set, and refused in a sentence when it is not right. */

import { expect, test } from "bun:test";
import { readSettings } from "../../../server/settings/read-settings.ts";

const read = (given: string | undefined) => readSettings({ env: { CAIRN_RATE_LIMIT: given }, flags: [] }).rateLimit;

test("is none unless it is set, and then requests in seconds", () => {
	expect([read(undefined), read("")]).toEqual([null, null]);
	expect(read("600/60s")).toEqual({ requestsMax: 600, windowMs: 60_000 });
	expect(read(" 1/86400s ")).toEqual({ requestsMax: 1, windowMs: 86_400_000 });
	expect(readSettings({ env: {}, flags: ["--rate-limit=5/1s"] }).rateLimit).toEqual({ requestsMax: 5, windowMs: 1_000 });
});

test("says what would be right", () => {
	for (const wrong of ["600", "600/60", "0/60s", "600/0s", "600/60m", "-1/60s", "1/86401s", "600 per minute"])
		expect(() => read(wrong)).toThrow(`setting CAIRN_RATE_LIMIT is not valid: "${wrong}" should be requests and seconds such as 600/60s, up to a day`);
});
