/** Reads Pages and Keynote since 2013: the text of the body, of text boxes and of slides in their order, with tables. Runs in the sandbox. */

import { type Engine, fail, limits, ServiceError, type Warning } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { BytesInput, SandboxResult } from "../blocks/content.ts";
import { createOutline, type Outline } from "../blocks/outline.ts";
import { openZip, type ZipArchive } from "../zip/zip-archive.ts";
import { objectsOf } from "./archive.ts";
import { openIndex } from "./index-zip.ts";
import { fieldOf, readObjects, referencesIn } from "./object-store.ts";
import { fieldsOf } from "./protobuf.ts";
import { createTableReader, type TableReader, tableTypes } from "./tables.ts";
import { addText, createTextTarget, kinds, type Text, type TextTarget, textTypes } from "./texts.ts";

/** The parts with text. Those of master slides only have what stands in for it, such as "Title Text". */
const textPart = /(?:^|\/)(?:Document|Slide[^/]*)\.iwa$/;
const documentPart = /(?:^|\/)Document\.iwa$/;

/** The types of objects, as numbers in the files. */
const types = { show: 2, slideNode: 4, slide: 5, storages: [2001, 2005] } as const;

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
	const warnings: Warning[] = [];
	const order = slideOrder(zip, document);
	const objects = readObjects(zip, new Set([types.slide, ...textTypes, ...tableTypes]), (name) => {
		warnings.push({ code: "PART_UNREADABLE", message: `the part ${name} is damaged or too large, so styles or tables may be missing` });
	});
	const target = createTextTarget(objects, tolerant(createTableReader(objects, outline, fullness(outline)), warnings), outline);
	if (order.length === 0) addTexts(readPart(zip, document).texts, {}, target);
	else addSlides(order, slideParts(zip, names, document), target);
	return { extraction: completeExtraction({ blocks: outline.blocks, type: "text" }), warnings };
};
export default engine;

/** Whether there is more than a document may have; then no further row is read, and the document is refused in the end. */
function fullness({ blocks }: Outline): () => boolean {
	let [counted, characters] = [0, 0];
	return () => {
		for (; counted < blocks.length; counted++) characters += blocks[counted]?.text.length ?? 0;
		return characters > limits.extractedCharactersMax;
	};
}

/** A table that cannot be read is told, and the text is read all the same. */
function tolerant(tables: TableReader, warnings: Warning[]): TableReader {
	return {
		add(info, placeOf) {
			try {
				return tables.add(info, placeOf);
			} catch (thrown) {
				if (!(thrown instanceof ServiceError)) throw thrown;
				warnings.push({ code: "TABLE_UNREADABLE", message: `a table could not be read: ${thrown.message}` });
				return false;
			}
		},
	};
}

function slideParts(zip: ZipArchive, names: readonly string[], document: string): readonly Part[] {
	return names.filter((name) => name !== document).map((name) => readPart(zip, name));
}

function readPart(zip: ZipArchive, name: string): Part {
	const slides: number[] = [];
	const texts: Text[] = [];
	for (const { id, type, message } of objectsOf(zip.read(name) ?? new Uint8Array())) {
		if (type === types.slide) slides.push(id);
		if (types.storages.some((storage) => storage === type)) texts.push({ kind: fieldOf(message, 1)?.value ?? null, message });
	}
	return { slides, texts };
}

/** The identifiers of the slides as they are shown; empty if the document is no presentation. */
function slideOrder(zip: ZipArchive, document: string): readonly number[] {
	const slideOfNode = new Map<number, number>();
	const nodes: number[] = [];
	for (const { id, type, message } of objectsOf(zip.read(document) ?? new Uint8Array())) {
		if (type === types.slideNode) for (const slide of referencesIn(message, 2)) slideOfNode.set(id, slide);
		if (type === types.show) for (const tree of fieldsOf(message)) if (tree.number === 3) nodes.push(...referencesIn(tree.bytes, 2));
	}
	return nodes.flatMap((node) => slideOfNode.get(node) ?? []);
}

/** A slide that is listed twice is added once. */
function addSlides(order: readonly number[], parts: readonly Part[], target: TextTarget): void {
	const partOf = new Map(parts.flatMap((part) => part.slides.map((slide) => [slide, part] as const)));
	for (const [index, part] of [...new Set(order.map((slide) => partOf.get(slide)))].entries()) {
		if (part === undefined) continue;
		const place = { slide: index + 1 };
		addTexts(part.texts, place, target);
		for (const slide of part.slides) {
			const drawn = target.objects.get(slide, types.slide) ?? new Uint8Array();
			for (const drawable of new Set([...referencesIn(drawn, 42), ...referencesIn(drawn, 7)])) target.tables.add(drawable, () => place); // drawables_z_order, owned_drawables
		}
	}
}

/** The body first, then what stands beside it, notes last. */
function addTexts(texts: readonly Text[], place: { readonly slide?: number }, target: TextTarget): void {
	const rank = ({ kind }: Text) => (kind === kinds.body ? 0 : kind === kinds.note ? 2 : 1);
	for (const text of texts.toSorted((one, other) => rank(one) - rank(other))) addText(text, place, target);
}
