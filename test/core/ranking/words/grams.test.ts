/** The grams of a word: its ends are marked, and signs outside the basic plane are whole. */

import { expect, test } from "bun:test";
import { gramsOf } from "cairn-memory/words";

test.each([
	["word", ["_wor", "word", "ord_"]],
	["ox", ["_ox_"]],
	["a", ["_a_"]],
	["𐍈ab𐍈", ["_𐍈ab", "𐍈ab𐍈", "ab𐍈_"]],
	["договор", ["_дог", "дого", "огов", "гово", "овор", "вор_"]],
])("%s", (word, grams) => expect(gramsOf(word)).toEqual(grams));
