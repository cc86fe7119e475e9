/** Tokens are estimated by characters, more for scripts whose signs are words. */

import { expect, test } from "bun:test";
import { tokensOf } from "../../../core/text/tokens.ts";

test("four characters of a spaced script are a token, and so is each sign of a dense one", () => {
	expect(tokensOf("")).toBe(0);
	expect(tokensOf("the ferry at 9:3")).toBe(4);
	expect(tokensOf("港口")).toBe(2);
	expect(tokensOf("abcd港")).toBe(2);
});
