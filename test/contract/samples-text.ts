/** Extractions, chunks and texts for the contract tests of plugins that compute. All written for this kit. */

import { asId, type Block, type Chunk, type Extraction, type Place } from "cairn-memory";
import type { ChunkId, DocumentId } from "cairn-memory/stores";

const sentencesOfSea =
	"The harbour of Brennik was built by fishermen in 1874. Its lighthouse stands on a granite rock, and its lamp is seen from eleven miles away. " +
	"In winter the ferries stop at five o'clock, because the wind turns without warning! Who would sail then? Dr. Olsen keeps the register of wrecks, e.g. the Maribel of 1902. ";

export const emptyExtraction: Extraction = extractionOf([]);

/** Paragraphs, a list and some code, without headings. */
export const plainExtraction: Extraction = extractionOf([
	paragraph("A letter without headings begins here."),
	paragraph(sentencesOfSea.trim()),
	paragraph("   "),
	{ kind: "list-item", depth: 0, text: "ropes and lanterns", headings: [], place: {} },
	{ kind: "list-item", depth: 1, text: "two lanterns of brass", headings: [], place: {} },
	{ kind: "code", language: "sh", text: "tide --port brennik\ntide --all", headings: [], place: {} },
	{ kind: "caption", text: "The rock at low water", headings: [], place: {} },
	paragraph(sentencesOfSea.repeat(12).trim()),
]);

export const headedExtraction: Extraction = extractionOf([
	heading(1, "Handbook", []),
	paragraph("The handbook tells how the harbour is run.", ["Handbook"]),
	heading(2, "Boats", ["Handbook"]),
	heading(3, "Ferries", ["Handbook", "Boats"]),
	paragraph(sentencesOfSea.repeat(9).trim(), ["Handbook", "Boats", "Ferries"]),
	heading(2, "Fees", ["Handbook"]),
	paragraph("A night costs nine crowns.", ["Handbook", "Fees"]),
]);

export const tableExtraction: Extraction = extractionOf(
	Array.from({ length: 120 }, (_, i): Block => {
		const cells = [`boat ${i}`, `${1900 + i}`, i % 2 === 0 ? "sail | oar" : "steam"];
		return { kind: "row", cells, header: ["Name", "Built", "Drive"], table: 1, text: cells.join(" "), headings: [], place: { sheet: "Boats", row: i + 2 } };
	}),
);

export const transcriptExtraction: Extraction = extractionOf(
	Array.from(
		{ length: 90 },
		(_, i): Block => ({
			kind: "cue",
			speaker: i % 7 < 4 ? "Ada" : "Bo",
			text: `Part ${i} of the talk is about the tide and the ${i % 3 === 0 ? "moon" : "wind"}.`,
			headings: [],
			place: { seconds: [i * 4, i * 4 + (i % 5 === 0 ? 2 : 3.8)] },
		}),
	),
);

/** Text without spaces, accents on accents, pictures of several characters. */
export const oddExtraction: Extraction = extractionOf([
	paragraph("海の近くに小さな港があります。冬には船が止まります。".repeat(60)),
	paragraph("ท่าเรือเล็กอยู่ใกล้ทะเลและเรือจะหยุดในฤดูหนาว".repeat(40)),
	paragraph("👩‍👩‍👧‍👦🇳🇴👍🏽".repeat(200)),
	paragraph(`e${"\u0301".repeat(40)} `.repeat(30)),
	paragraph("zero \u0000 and \u202Eright to left\u202C"),
	paragraph("مرفأ صغير قرب البحر. السفن تتوقف في الشتاء."),
	paragraph("x".repeat(5_000)),
]);

/** Halves of pairs, as broken programs write them. */
export const halvesExtraction: Extraction = extractionOf([paragraph("half \uD83D of a pair, and \uDE00 another half. ".repeat(100).trim())]);

/** One line of a million characters. */
export function longLineExtraction(): Extraction {
	return extractionOf([paragraph(sentencesOfSea.repeat(Math.ceil(1_000_000 / sentencesOfSea.length)))]);
}

export const extractions: Readonly<Record<string, Extraction>> = {
	plain: plainExtraction,
	headed: headedExtraction,
	table: tableExtraction,
	transcript: transcriptExtraction,
	odd: oddExtraction,
	halves: halvesExtraction,
};

/** Texts that are hard to compute with. */
export const oddTexts: readonly string[] = [
	"",
	" \n\t",
	"\u0000",
	"?!…",
	"\uD83D",
	"👩‍👩‍👧‍👦",
	"海の近く",
	"ท่าเรือเล็ก",
	"e\u0301".repeat(2_000),
	"x".repeat(20_000),
	"a ".repeat(20_000),
];

/** A statement, the same said otherwise with words in common, and a statement about something else. */
export const kinTexts: readonly (readonly [text: string, paraphrase: string, stranger: string])[] = [
	["The ferry leaves the harbour at five in winter", "In winter the last ferry departs from the harbour at five", "Basil needs warm soil and plenty of light"],
	["How do I reset my password?", "Steps to reset a forgotten password", "The museum shows paintings of the northern school"],
	["Ana works as a nurse in Oslo", "Ana is a nurse who works in Oslo", "The invoice number is printed at the top right"],
];

/** Text that holds nothing worth remembering. */
export const factlessTexts: readonly string[] = [
	"Hi there! How are you today? Thanks a lot, see you soon!",
	"What time is it? Do you know where the station is? Could you help me?",
	"User: Please write a poem about the sea.\nAssistant: Sure! Here is a poem for you. Let me know if you would like any changes.",
	"Assistant: I'm happy to help! As an assistant, I can answer questions about many topics.",
	"```python\nimport os\nname = os.environ['NAME']\nprint(name)\n```",
	"- [Home](/)\n- [About us](/about)\n- [Contact](/contact)",
	"Great idea! Sounds good. OK. Sure. Haha. No problem!",
	"",
];

/** Text that holds facts, with a word that a memory of each must have. */
export const factfulTexts: readonly (readonly [text: string, word: string])[] = [
	["Ana: I moved to Berlin in 2019 and I work as a nurse.", "Berlin"],
	["User: My daughter is allergic to peanuts.\nAssistant: I am sorry to hear that.", "peanuts"],
	["The Brennik lighthouse was built in 1874 by Norwegian engineers. The keeper of the lighthouse is Ola Olsen.", "1874"],
];

export const documentId = asId<DocumentId>("1".repeat(22));

/** A chunk as the pipeline would hand it to a memory extractor. */
export function chunkOf(text: string, position = 0): Chunk {
	const id = asId<ChunkId>(`${position + 1}`.padStart(22, "c"));
	return { id, document: documentId, revision: 1, position, text, indexedText: text, place: {} };
}

/** Blocks with their spans in the text that they make together. */
function extractionOf(blocks: readonly Block[]): Extraction {
	let text = "";
	const placed = blocks.map((block): Block => {
		const begin = text.length;
		text += `${block.text}\n\n`;
		const place: Place = { ...block.place, span: [begin, begin + block.text.length] };
		return { ...block, place };
	});
	return { blocks: placed, text, title: null, description: null, language: null, type: "text" };
}

function paragraph(text: string, headings: readonly string[] = []): Block {
	return { kind: "paragraph", text, headings, place: {} };
}

function heading(level: number, text: string, headings: readonly string[]): Block {
	return { kind: "heading", level, text, headings, place: {} };
}
