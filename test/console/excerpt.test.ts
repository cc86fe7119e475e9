/** The passage that a hit of the documentation's search shows. */

import { expect, test } from "bun:test";
import { excerpt } from "../../console/site/excerpt.ts";

const long = `${"Nothing of it is here. ".repeat(20)}A webhook is signed with a secret. ${"And so on. ".repeat(40)}`;

test("it stands around the first word that was found, and says where it was cut", () => {
	const parts = excerpt(long, ["webhook", "secret"]);
	const shown = parts.map(({ text }) => text).join("");
	expect(parts.filter(({ isFound }) => isFound).map(({ text }) => text)).toEqual(["webhook", "secret"]);
	expect(shown).toStartWith("… ");
	expect(shown).toEndWith(" …");
	expect(shown.length).toBeLessThan(160);
});

test("the words come whatever their case, and no sign in them is taken for a pattern", () => {
	expect(excerpt("Set CAIRN_URL (a.b) here", ["cairn_url", "(a.b)"]).filter(({ isFound }) => isFound)).toHaveLength(2);
	expect(excerpt("axb", ["a.b"]).some(({ isFound }) => isFound)).toBe(false);
});

test("where nothing of it stands, it is the beginning", () => {
	expect(excerpt("Begin here.", ["elsewhere"])).toEqual([{ text: "Begin here.", isFound: false }]);
	expect(excerpt("Begin here.", [])).toEqual([{ text: "Begin here.", isFound: false }]);
});
