/** The extractor passes the contract tests, on an address book as three different programs would write it. */

import { describe, expect, test } from "bun:test";
import { type ExtractorSample, extractorContract, partOf, pluginContract } from "cairn-memory/contract";
import { readContacts } from "./contacts.ts";
import vcard from "./index.ts";

const book = `BEGIN:VCARD\r
VERSION:4.0\r
FN:Ines Halloran\r
N:Halloran;Ines;;Ms;\r
ORG:Tern Lane Bicycle Workshop;Counter\r
TEL;TYPE="work,voice";VALUE=uri:555 0142\r
EMAIL:ines@ternlane.example\r
NOTE:Keeps the key to the box\\, knows the code. Prefers to be calle\r
 d before noon.\r
PHOTO:data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ\r
END:VCARD\r
BEGIN:VCARD\r
VERSION:3.0\r
N:Duarte;Anselm;;;\r
item1.ADR;TYPE=HOME:;;3 Sail Yard;Port Ellery;;;\r
BDAY:1961-04-17\r
END:VCARD\r
BEGIN:VCARD\r
VERSION:2.1\r
FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:J=C3=B6rg Br=\r
andt\r
TEL;CELL:555 0177\r
END:VCARD\r
`;
const sample: ExtractorSample = {
	bytes: new TextEncoder().encode(book),
	mediaType: "text/vcard",
	fileName: "people.vcf",
	headings: ["Ines Halloran", "Anselm Duarte", "Jörg Brandt"],
	words: [
		"Ines Halloran Organisation: Tern Lane Bicycle Workshop, Counter. Telephone (work): 555 0142. E-mail: ines@ternlane.example",
		"Note: Keeps the key to the box, knows the code. Prefers to be called before noon.",
		"Anselm Duarte Address (home): 3 Sail Yard, Port Ellery. Birthday: 1961-04-17",
		"Jörg Brandt Telephone (cell): 555 0177",
	],
};
const start = () => partOf(vcard(), "extractor");

for (const contractTest of [...pluginContract(vcard), ...extractorContract(start, [sample])]) test(contractTest.name, contractTest.check);

describe("the details", () => {
	const card = (...lines: readonly string[]) => ["BEGIN:VCARD", "FN:Anna", ...lines, "END:VCARD"].join("\n");
	const first = (text: string) => readContacts(text).contacts[0];

	test("a colon inside quotes does not end the parameters", () => {
		expect(first(card('TEL;LABEL="call: at noon";TYPE=work:555'))?.facts).toEqual([{ property: "TEL", label: "Telephone (work)", value: "555" }]);
	});

	test("a card without a name or without an end is left out", () => {
		expect(readContacts("BEGIN:VCARD\nTEL:1\nEND:VCARD").contacts).toEqual([]);
		expect(readContacts(`BEGIN:VCARD\nFN:Cut\n${card()}`)).toEqual({ contacts: [{ name: "Anna", facts: [] }], unfinished: 1 });
	});

	test("birthdays can be left out", async () => {
		const { extract } = await partOf(vcard({ birthdays: false }), "extractor");
		const source = { ...sample, charset: null, address: null, byteLength: sample.bytes.length, bytes: async () => sample.bytes, text: null };
		const step = { signal: new AbortController().signal, log: () => undefined, warn: () => undefined, progress: () => undefined };
		expect((await extract(source, step)).text).not.toContain("1961");
	});

	test("a hostile line costs no more than an honest one", () => {
		const begun = performance.now();
		for (const line of [
			`TEL;${'"'.repeat(200_001)}`,
			`TEL;${'":'.repeat(100_000)}`,
			`${"A;QUOTED-PRINTABLE".repeat(10_000)}=`,
			`PHOTO:data${"\n AAAA".repeat(100_000)}`,
			"=41".repeat(100_000),
		])
			readContacts(card(line));
		// One that goes back for each character takes minutes.
		expect(performance.now() - begun).toBeLessThan(20_000);
	});
});
