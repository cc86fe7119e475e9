/** A memory of a model says what its quote says: so or not so, the same act, the same owner. */

import { describe, expect, test } from "bun:test";
import { isFaithful } from "../../../core/language/is-faithful.ts";

type Case = readonly [source: string, quote: string, text: string];

const check = ([source, quote, text]: Case, about = "") => {
	const at = source.indexOf(quote);
	const line = source.slice(source.lastIndexOf("\n", at) + 1, at + quote.length + 1);
	return isFaithful({ text, quote, line, context: source, about });
};

const kept: readonly Case[] = [
	["Ana: I moved to Porto in May.", "I moved to Porto in May", "Ana moved to Porto in May."],
	["Ana: I don't eat fish any more, but I love soup.", "I don't eat fish any more, but I love soup", "Ana loves soup."],
	["Ana: I don't eat fish any more, but I love soup.", "I don't eat fish any more, but I love soup", "Ana no longer eats fish."],
	["Ana: I quit smoking last year.", "I quit smoking last year", "Ana quit smoking last year."],
	["My sister Eva lives in Graz.", "My sister Eva lives in Graz", "User's sister Eva lives in Graz."],
	["The clinic was closed in June. Dr. Oka will open a practice.", "Dr. Oka will open a practice", "Dr. Oka will open a practice."],
	["Ana: My car broke down on the bridge.", "My car broke down on the bridge", "Ana's car broke down on the bridge."],
	["Ich trinke keinen Kaffee.", "Ich trinke keinen Kaffee", "User trinkt keinen Kaffee."],
];
const dropped: readonly Case[] = [
	["Ana met Bo at the bridge in May.", "Ana met Bo at the bridge in May", "Ana murdered Bo at the bridge in May."],
	["Ana: I do not eat fish.", "I do not eat fish", "Ana eats fish."],
	["Ana: I eat fish on Fridays.", "I eat fish on Fridays", "Ana never eats fish on Fridays."],
	["Ana: I quit smoking last year.", "I quit smoking last year", "Ana smoked last year."],
	["Bo: I sold the boat.\nAna: Good.", "I sold the boat", "Ana sold the boat."],
	["My sister bought a red car.", "My sister bought a red car", "User bought a red car."],
	["Please keep the kitchen clean.", "Please keep the kitchen clean", "User keeps the kitchen clean."],
	["Ana: Should we sell the boat?", "we sell the boat", "Ana sells the boat."],
	["Ana: If it rains, I stay in Porto.", "If it rains, I stay in Porto", "Ana stays in Porto."],
	["Ana: I might sell the boat.", "I might sell the boat", "Ana will sell the boat."],
	["Ana: Someone told me that Bo sold the boat.", "Someone told me that Bo sold the boat", "Bo sold the boat."],
	["Ana: I used to play the cello.", "I used to play the cello", "Ana plays the cello."],
	["Guests want quiet rooms.", "Guests want quiet rooms", "User wants quiet rooms."],
	["Ich trinke keinen Kaffee.", "Ich trinke keinen Kaffee", "User trinkt Kaffee."],
];

describe("a memory is kept that says what its quote says", () => {
	for (const each of kept) test(each[2], () => expect(check(each)).toBe(true));
});

describe("a memory is dropped that says something else", () => {
	for (const each of dropped) test(`${each[1]} → ${each[2]}`, () => expect(check(each)).toBe(false));
});

test("who writes may be named by what a client said of the document", () => {
	const diary: Case = ["I sold the boat in May.", "I sold the boat in May", "Ana sold the boat in May."];
	expect(check(diary)).toBe(false);
	expect(check(diary, "Ana's diary")).toBe(true);
});
