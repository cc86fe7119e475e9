/** What a question asks for, and texts that have it. */

import { expect, test } from "bun:test";
import { kindAskedFor } from "../../../core/ranking/kind-asked-for.ts";

const has = (query: string, text: string) => kindAskedFor(query)?.(text) ?? null;

test("times, numbers, places and causes are told from a question, and found in a text", () => {
	expect(has("when is the dentist", "She pulls it on Thursday.")).toBe(true);
	expect(has("Since when was the heating broken?", "It has been cold since the 3rd.")).toBe(true);
	expect(has("what day do we sail", "We sail with nine people.")).toBe(false);
	expect(has("what does the first service cost", "It is 79 euros by card.")).toBe(true);
	expect(has("how many seats are left", "Nobody has counted them.")).toBe(false);
	expect(has("where's the spare key", "The key is under the pot.")).toBe(true);
	expect(has("Why don't they go by rail?", "They drive because the train is full.")).toBe(true);
	expect(has("why did she leave", "She left early.")).toBe(false);
});

test("the day on which something was said is no answer to when", () => {
	expect(has("when do they leave", "Ana (4 March 2026): we packed the boxes")).toBe(false);
	expect(has("when do they leave", "Ana (4 March 2026): we leave tomorrow")).toBe(true);
});

test("other questions, and long messages, ask for no kind", () => {
	for (const query of ["Hannah's birthday present", "who feeds the cat", "what does the man do whenever it rains", ""]) expect(kindAskedFor(query)).toBeNull();
	expect(kindAskedFor(`When I came home ${"there was nothing left to do, ".repeat(5)}so what now?`)).toBeNull();
});
