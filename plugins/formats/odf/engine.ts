/** Reads OpenDocument texts, spreadsheets, presentations and drawings, packed or flat. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { completeExtraction, createExtractionWriter, type DraftFacts } from "cairn-memory/words";
import type { BytesInput, PackedSandboxResult, SandboxResult } from "../blocks/content.ts";
import { createLongOutline, createOutline } from "../blocks/outline.ts";
import { type OfficePackage, openPackage } from "../ooxml/package.ts";
import { attributeOf, elementByPath, elementsOf, textOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";
import { addElements, flatText, type OdfContext } from "./body.ts";
import { openFlatPackage } from "./flat-package.ts";
import { addSheets } from "./sheets.ts";
import { addPages, addSlides } from "./slides.ts";
import { addStyles, createStyles } from "./styles.ts";

const engine: Engine<BytesInput, SandboxResult | PackedSandboxResult> = async ({ bytes }, report) => {
	const pkg = openFlatPackage(bytes) ?? openPackage(bytes);
	refuseEncrypted(pkg);
	if (!pkg.zip.has("content.xml")) throw fail("FILE_BROKEN", "it has no part content.xml");
	const styles = createStyles();
	const sharedStyles = pkg.part("styles.xml");
	addStyles(sharedStyles, styles);
	const writer = documentKind(pkg) === "spreadsheet" ? createExtractionWriter() : null;
	const outline = writer === null ? createOutline() : createLongOutline(writer);
	const context: OdfContext = { pkg, styles, outline, place: {}, notes: [], titles: [], counts: new Map() };

	if (writer !== null) addSheets(context, report);
	else {
		const content = pkg.part("content.xml");
		addStyles(elementByPath(content, "automatic-styles"), styles);
		const [body = null] = elementsOf(elementByPath(content, "body"));
		if (body?.name === "presentation") addSlides(body, context, report);
		else if (body?.name === "drawing") addPages(body, context);
		else addElements(elementsOf(body), context);
		addNotes(context);
		if (body?.name === "text") addHeadersAndFooters(sharedStyles, context);
		if (body?.name === "presentation") addSlideHeadersAndFooters(body, context);
	}
	requireText(context);
	const metadata = metadataOf(context, sharedStyles);
	if (writer === null) return { extraction: completeExtraction({ blocks: outline.blocks, ...metadata }), warnings: pkg.warnings };
	return { extraction: writer.complete(metadata), warnings: [...writer.warnings(), ...pkg.warnings] };
};
export default engine;

function documentKind(pkg: OfficePackage): string {
	const type = new TextDecoder().decode(pkg.zip.read("mimetype") ?? new Uint8Array());
	return /opendocument\.(\w+)/.exec(type)?.[1] ?? "text";
}

/** Throws FILE_ENCRYPTED if the manifest declares an encrypted part. */
function refuseEncrypted(pkg: OfficePackage): void {
	const manifest = pkg.part("META-INF/manifest.xml");
	if (manifest !== null && !topmostDescendants(manifest, "encryption-data").next().done) throw fail("FILE_ENCRYPTED");
}

/** Adds the notes. The list may grow meanwhile, since a note may contain another note. */
function addNotes(context: OdfContext): void {
	for (let index = 0; index < context.notes.length; index++) {
		const text = flatText(elementsOf(elementByPath(context.notes[index] ?? null, "note-body")), context);
		context.outline.paragraph(text, { markdown: `[^${index + 1}]: ${text}` });
	}
}

/** Adds each header and footer once, after the text, which they would interrupt. */
function addHeadersAndFooters(sharedStyles: XmlElement | null, context: OdfContext): void {
	const seen = new Set<string>();
	for (const page of elementsOf(elementByPath(sharedStyles, "master-styles"), "master-page")) {
		for (const element of elementsOf(page, "header", "header-first", "header-left", "footer", "footer-first", "footer-left")) {
			const text = flatText(elementsOf(element), context);
			if (!/\p{L}/u.test(text) || seen.has(text)) continue;
			seen.add(text);
			context.outline.paragraph(text);
		}
	}
}

/** Adds each header and footer that slides refer to once. */
function addSlideHeadersAndFooters(body: XmlElement, context: OdfContext): void {
	const texts = elementsOf(body, "header-decl", "footer-decl").map((declaration) => textOf(declaration).replace(/\s+/g, " ").trim());
	for (const text of new Set(texts)) if (/\p{L}/u.test(text)) context.outline.paragraph(text);
}

/** Throws if the document has no text. Names of sheets alone do not count. */
function requireText({ outline, pkg }: OdfContext): void {
	if (outline.blocks.some(({ kind, place }) => kind !== "heading" || place.sheet === undefined)) return;
	const [warning] = pkg.warnings;
	throw warning === undefined ? fail("CONTENT_EMPTY") : fail("FILE_BROKEN", warning.message);
}

function metadataOf({ pkg, outline, titles }: OdfContext, sharedStyles: XmlElement | null): DraftFacts {
	const meta = elementByPath(pkg.part("meta.xml"), "meta");
	const read = (name: string) => textOf(elementByPath(meta, name)).trim() || null;
	const isSheet = outline.blocks.some(({ place }) => place.sheet !== undefined);
	const heading = isSheet ? undefined : outline.blocks.find(({ kind }) => kind === "heading");
	return {
		titles: [read("title"), titles[0], heading?.text],
		description: read("description"),
		language: read("language") ?? defaultLanguage(sharedStyles),
		type: "text",
	};
}

function defaultLanguage(sharedStyles: XmlElement | null): string | null {
	for (const style of elementsOf(elementByPath(sharedStyles, "styles"), "default-style")) {
		const text = elementByPath(style, "text-properties");
		const [language, country] = [attributeOf(text, "language"), attributeOf(text, "country")];
		if (language !== null && language !== "none") return country === null || country === "none" ? language : `${language}-${country}`;
	}
	return null;
}
