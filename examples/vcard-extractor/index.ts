/** An extractor for address books (.vcf): every person becomes a heading with what is known about them below. */

import { definePlugin, type Extractor, fail } from "cairn-memory";
import { completeExtraction, type ReadableBlock } from "cairn-memory/words";
import { z } from "zod";
import { type Contact, readContacts } from "./contacts.ts";

export default definePlugin({
	name: "cairn-plugin-extract-vcard",
	contract: 1,
	options: z.strictObject({
		/** Birthdays may be private. */
		birthdays: z.boolean().default(true),
	}),
	start: ({ birthdays }) => ({ extractor: [vcard(birthdays)] }),
});

/** Pure text, read once from top to bottom: no need for `host.sandbox`, which is for engines that a bad file can hang or crash. */
function vcard(birthdays: boolean): Extractor {
	return {
		name: "vcard",
		accepts: ["text/vcard", "text/x-vcard", "text/directory"],
		async extract(source, step) {
			const text = source.text ?? new TextDecoder(source.charset ?? "utf-8").decode(await source.bytes());
			step.signal.throwIfAborted();
			if (text.trim() === "") throw fail("CONTENT_EMPTY");
			const { contacts, unfinished } = readContacts(text);
			if (contacts.length === 0) throw fail("FILE_BROKEN", "it holds no complete vCard");
			if (unfinished > 0) step.warn("CONTACTS_UNFINISHED", `${unfinished} contacts have no end and were left out`);
			return completeExtraction({ blocks: contacts.flatMap((contact) => blocksOf(contact, birthdays)), titles: [source.fileName], type: "text" });
		},
	};
}

function blocksOf({ name, facts }: Contact, birthdays: boolean): readonly ReadableBlock[] {
	const shown = facts.filter(({ property }) => birthdays || property !== "BDAY");
	const heading: ReadableBlock = { kind: "heading", level: 2, text: name, headings: [], place: {} };
	return [
		heading,
		...shown.map(({ label, value }): ReadableBlock => ({ kind: "list-item", depth: 0, text: `${label}: ${value}`, headings: [name], place: {} })),
	];
}
