/** The forms under which a word may be listed. */

import { expect, test } from "bun:test";
import { baseForms } from "../../../../plugins/query-rewriters/synonyms/base-forms.ts";

test.each([
	["cities", "noun", ["citie", "city"]],
	["boxes", "noun", ["boxe", "box"]],
	["running", "verb", ["runne", "runn"]],
	["taller", "adj", ["tall", "talle"]],
	["soon", "adv", []],
	["as", "noun", []],
] as const)("%s as %s", (word, part, forms) => expect(baseForms(word, part)).toEqual([...forms]));
