/** Times within a source as the console and the demo show them. */

import { expect, test } from "bun:test";
import { wordsOfTime } from "../../console/parts/words-of-time.ts";

test("minutes and seconds, hours, and the day of a chat that went on for weeks", () => {
	expect([0, 9.6, 130, 3_730, 86_399].map(wordsOfTime)).toEqual(["0:00", "0:09", "2:10", "1:02:10", "23:59:59"]);
	expect([86_400, 607_140, 6_484_860].map(wordsOfTime)).toEqual(["day 2", "day 8", "day 76"]);
});
