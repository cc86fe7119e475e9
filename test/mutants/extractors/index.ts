/** Extractors that break one promise each, and the contract tests that must notice. */

import type { Block, Extraction, Extractor, FileSignature, Place } from "cairn-memory";
import type { Mutant } from "../mutant.ts";

type Change = (extraction: Extraction, calls: number) => Extraction;

/**
 * @param sound an extractor that passes all contract tests; each mutant spoils its answer.
 * @param whole the bytes of the sample, which has headings and several blocks: other bytes are damage.
 */
export function extractorMutants(sound: Extractor, whole: Uint8Array): readonly Mutant<Extractor>[] {
	const spoiled = (name: string, change: Change, ...contractTests: readonly string[]): Mutant<Extractor> => ({
		name,
		contractTests,
		start: async () => spoil(sound, change),
	});
	const withBlocks = (change: (blocks: readonly Block[], calls: number) => readonly Block[]): Change => {
		return (extraction, calls) => ({ ...extraction, blocks: change(extraction.blocks, calls) });
	};
	const damageTests = ["cut bytes are unreadable or read in part", "damaged bytes are unreadable or read in part"];
	return [
		{ name: "nameless", contractTests: ["an extractor has a name and says what it accepts"], start: async () => ({ ...sound, name: "" }) },
		...[
			{ name: "knows files that it does not accept", signature: { mediaType: "application/x-cairn-unheard-of", extensions: ["unheard"] } },
			{ name: "tells nothing of its files", signature: { mediaType: "text/markdown" } },
			{ name: "writes extensions with their dot", signature: { mediaType: "text/markdown", extensions: [".MD"] } },
			{ name: "knows its files by nothing", signature: { mediaType: "text/markdown", magicBytes: [new Uint8Array()] } },
			{ name: "knows its own sample as something else", signature: { mediaType: "text/markdown", magicBytes: [Uint8Array.of(0, 1)] } },
		].map(({ name, signature }) => ({
			name,
			contractTests: ["the file signatures of an extractor match its samples"],
			start: async () => ({ ...sound, signatures: [signature as FileSignature] }),
		})),
		{ name: "claims everything", contractTests: ["an extractor does not claim what it does not accept"], start: async () => ({ ...sound, accepts: ["*/*"] }) },
		{
			name: "recognizes everything",
			contractTests: ["an extractor does not claim what it does not accept"],
			start: async () => ({ ...sound, recognizes: () => true }),
		},
		spoiled("loses the last block", (extraction) => withoutLast(extraction), "a sample's words are found"),
		spoiled("makes paragraphs of headings", withBlocks(plain), "a sample's headings are found"),
		spoiled(
			"invents text",
			withBlocks((blocks) => blocks.map((block) => ({ ...block, text: `${block.text} as everybody knows` }))),
			"nothing is invented",
			"spans point at the words of their block",
		),
		spoiled("answers in another order every time", withBlocks(turned), "the same bytes give the same blocks"),
		spoiled("counts its calls", (extraction, calls) => ({ ...extraction, title: `reading ${calls}` }), "the same bytes give the same blocks"),
		spoiled("goes backwards", withBlocks(placed((index) => ({ page: 9 - index }))), "places never go backwards"),
		spoiled("runs back in time", withBlocks(placed((index) => ({ seconds: [9 - index, 9] }))), "places never go backwards"),
		spoiled("points at the beginning", withBlocks(placed(() => ({ span: [0, 1] }))), "spans point at the words of their block"),
		spoiled(
			"has no spans",
			withBlocks((blocks) => blocks.map((block) => ({ ...block, place: {} }))),
			"spans point at the words of their block",
		),
		spoiled("has a blank title", (extraction) => ({ ...extraction, title: " " }), "a title is null or says something"),
		{
			name: "throws a TypeError on damage",
			contractTests: damageTests,
			start: async () => onDamage(sound, whole, () => Promise.reject(new TypeError("x is undefined"))),
		},
		{ name: "hangs on damage", contractTests: damageTests, start: async () => onDamage(sound, whole, () => new Promise(() => {})) },
		{ name: "reads nothing as something", contractTests: ["no bytes are unreadable, not an error of another kind"], start: async () => readsNothing(sound) },
		{ name: "does not stop", contractTests: ["an extractor stops within a second of its signal"], start: async () => neverStops(sound) },
	];
}

function spoil(sound: Extractor, change: Change): Extractor {
	let calls = 0;
	return { ...sound, extract: async (source, step) => change(await sound.extract(source, step), ++calls) };
}

function withoutLast(extraction: Extraction): Extraction {
	const [begin] = extraction.blocks.at(-1)?.place.span ?? [0];
	return { ...extraction, blocks: extraction.blocks.slice(0, -1), text: extraction.text.slice(0, begin) };
}

function plain(blocks: readonly Block[]): readonly Block[] {
	return blocks.map(({ text, headings, place }) => ({ kind: "paragraph", text, headings, place }));
}

function turned(blocks: readonly Block[], calls: number): readonly Block[] {
	return calls % 2 === 0 ? blocks.toReversed() : blocks;
}

function placed(place: (index: number) => Place): (blocks: readonly Block[]) => readonly Block[] {
	return (blocks) => blocks.map((block, index) => ({ ...block, place: { ...block.place, ...place(index) } }));
}

function onDamage(sound: Extractor, whole: Uint8Array, instead: () => Promise<Extraction>): Extractor {
	return {
		...sound,
		extract: async (source, step) => {
			const bytes = await source.bytes();
			const isWhole = bytes.length === whole.length && bytes.every((byte, index) => byte === whole[index]);
			return isWhole || bytes.length === 0 ? await sound.extract(source, step) : await instead();
		},
	};
}

function readsNothing(sound: Extractor): Extractor {
	const nothing: Extraction = { blocks: [], text: "", title: null, description: null, language: null, type: "text" };
	return { ...sound, extract: async (source, step) => (source.byteLength === 0 ? nothing : await sound.extract(source, step)) };
}

function neverStops(sound: Extractor): Extractor {
	return { ...sound, extract: (source, step) => (step.signal.aborted ? new Promise(() => {}) : stuckOnAbort(sound.extract(source, step), step.signal)) };
}

async function stuckOnAbort(reading: Promise<Extraction>, signal: AbortSignal): Promise<Extraction> {
	const extraction = await reading;
	await new Promise((resolve) => setTimeout(resolve, 10));
	return signal.aborted ? await new Promise(() => {}) : extraction;
}
