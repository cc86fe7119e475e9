import { expect, test } from "bun:test";
import { looksLikeHeader } from "../../../../plugins/formats/blocks/looks-like-header.ts";

const table = (text: string) => text.split("\n").map((row) => row.split(";"));

test.each([
	["names over amounts", "Boat;Power\nTern;12\nGull;40", true],
	["names over words", "Boat;Town\nTern;Graz\nGull;Graz", true],
	["years over amounts", "Boat;2024;2025\nTern;12;14\nGull;40;41", true],
	["a header that is repeated on the next page", "Boat;Town\nTern;Graz\nBoat;Town\nGull;Oslo", true],
	["a column of links with its name", "Boat;Log\nTern;Log\nGull;Log", true],
	["amounts over amounts", "Tern;12\nGull;40\nRuff;8", false],
	["the same name twice", "Tern;Tern\nGull;Ruff", false],
	["a value that comes again below it", "Tern;red;Graz\nGull;green;Oslo\nRuff;red;Ghent", false],
	["an address", "Tern;ana@example.org\nGull;tom@example.org", false],
	["a sentence", `Tern;${"The lamp is red and stands at the end of the pier. ".repeat(2)}\nGull;green`, false],
	["one row", "Boat;Power", false],
])("%s", (_, text, isHeader) => {
	expect(looksLikeHeader(table(text))).toBe(isHeader);
});
