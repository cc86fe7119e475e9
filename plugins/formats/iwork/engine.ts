/** Reads Pages and Keynote since 2013: the text of the body, of text boxes and of slides in their order. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { BytesInput, SandboxResult } from "../blocks/content.ts";
import { createOutline, type Outline } from "../blocks/outline.ts";
import { openZip, type ZipArchive } from "../zip/zip-archive.ts";
import { objectsOf } from "./archive.ts";
import { openIndex } from "./index-zip.ts";
import { fieldsOf } from "./protobuf.ts";

/** The parts with text. Those of master slides only have what stands in for it, such as "Title Text". */
const textPart = /(?:^|\/)(?:Document|Slide[^/]*)\.iwa$/;
const documentPart = /(?:^|\/)Document\.iwa$/;

/** The types of objects, as numbers in the files. */
const types = { show: 2, slideNode: 4, slide: 5, storages: [2001, 2005] } as const;
/** The kinds of texts. Those of text boxes have none. */
const kinds = { body: 0, note: 4 } as const;

interface Text {
	readonly kind: number | null;
	readonly text: string;
}

interface Part {
	/** The identifiers of the slides in it. */
	readonly slides: readonly number[];
	readonly texts: readonly Text[];
}

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }) => {
	const zip = openIndex(openZip(bytes));
	const names = zip.names.filter((name) => textPart.test(name));
	const document = names.find((name) => documentPart.test(name));
	if (document === undefined) throw fail("FILE_BROKEN", "it has no part Document.iwa");
	const outline = createOutline();
	const order = slideOrder(zip, document);
	if (order.length === 0) addTexts(readPart(zip, document).texts, outline);
	else addSlides(order, slideParts(zip, names, document), outline);
	return { extraction: completeExtraction({ blocks: outline.blocks, type: "text" }), warnings: [] };
};
export default engine;

function slideParts(zip: ZipArchive, names: readonly string[], document: string): readonly Part[] {
	return names.filter((name) => name !== document).map((name) => readPart(zip, name));
}

function readPart(zip: ZipArchive, name: string): Part {
	const slides: number[] = [];
	const texts: Text[] = [];
	for (const { id, type, message } of objectsOf(zip.read(name) ?? new Uint8Array())) {
		if (type === types.slide) slides.push(id);
		if (types.storages.some((storage) => storage === type)) texts.push(textOf(message));
	}
	return { slides, texts };
}

function textOf(message: Uint8Array): Text {
	let kind: number | null = null;
	let text = "";
	for (const { number, value, bytes } of fieldsOf(message)) {
		if (number === 1) kind = value;
		if (number === 3) text += new TextDecoder().decode(bytes);
	}
	return { kind, text };
}

/** The identifiers of the slides as they are shown; empty if the document is no presentation. */
function slideOrder(zip: ZipArchive, document: string): readonly number[] {
	const slideOfNode = new Map<number, number>();
	const nodes: number[] = [];
	for (const { id, type, message } of objectsOf(zip.read(document) ?? new Uint8Array())) {
		if (type === types.slideNode) for (const field of fieldsOf(message)) if (field.number === 2) slideOfNode.set(id, referenceIn(field.bytes));
		if (type === types.show)
			for (const tree of fieldsOf(message))
				if (tree.number === 3) for (const node of fieldsOf(tree.bytes)) if (node.number === 2) nodes.push(referenceIn(node.bytes));
	}
	return nodes.flatMap((node) => slideOfNode.get(node) ?? []);
}

/** A reference is a message with an identifier. */
function referenceIn(message: Uint8Array): number {
	for (const { number, value } of fieldsOf(message)) if (number === 1) return value;
	return 0;
}

/** A slide that is listed twice is added once. */
function addSlides(order: readonly number[], parts: readonly Part[], outline: Outline): void {
	const partOf = new Map(parts.flatMap((part) => part.slides.map((slide) => [slide, part] as const)));
	for (const [index, part] of [...new Set(order.map((slide) => partOf.get(slide)))].entries())
		if (part !== undefined) addTexts(part.texts, outline, { slide: index + 1 });
}

/** The body first, then what stands beside it, notes last. */
function addTexts(texts: readonly Text[], outline: Outline, place = {}): void {
	const rank = ({ kind }: Text) => (kind === kinds.body ? 0 : kind === kinds.note ? 2 : 1);
	for (const { kind, text } of texts.toSorted((one, other) => rank(one) - rank(other))) {
		// Pictures and tables stand as U+FFFC in the text, breaks of pages and sections as control characters.
		const lines = text.split(/[\n\u2028\u2029\p{Cc}]+/u).map((line) => line.replaceAll("\uFFFC", "").trim());
		const prefix = kind === kinds.note ? "Notes: " : "";
		for (const line of lines) if (line !== "") outline.paragraph(prefix + line, { place });
	}
}
