/** Office files made of the parts that matter to a test: the package around them is written here. */

import { zipOf } from "./zip-of.ts";

const kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** `rId1` → type and target, as a package tells what belongs to a part. A target with a colon lies outside. */
export type Relations = Readonly<Record<string, readonly [type: string, target: string]>>;

export function relationsXml(relations: Relations): string {
	const entries = Object.entries(relations).map(([id, [type, target]]) => {
		const mode = target.includes(":") ? ' TargetMode="External"' : "";
		return `<Relationship Id="${id}" Type="${kind}/${type}" Target="${target}"${mode}/>`;
	});
	return `<?xml version="1.0"?><Relationships>${entries.join("")}</Relationships>`;
}

function packageOf(main: string, parts: Readonly<Record<string, string>>): Uint8Array {
	const rels = relationsXml({ r1: ["officeDocument", main], r2: ["core-properties", "docProps/core.xml"] });
	return zipOf({ "[Content_Types].xml": "<Types/>", "_rels/.rels": rels, ...parts });
}

export interface DocxParts {
	/** What stands in `w:body`. */
	readonly body: string;
	/** Further parts by their path below `word/`, each related under its name: `styles` for `styles.xml`. */
	readonly parts?: Readonly<Record<string, string>>;
	readonly relations?: Relations;
	readonly core?: string;
}

export function docxOf({ body, parts = {}, relations = {}, core }: DocxParts): Uint8Array {
	const named = Object.keys(parts).map((name): [string, readonly [string, string]] => [`part-${name}`, [name.replace(/\d*\.xml$/, ""), name]]);
	return packageOf("word/document.xml", {
		"word/_rels/document.xml.rels": relationsXml({ ...Object.fromEntries(named), ...relations }),
		"word/document.xml": `<w:document xmlns:w="w" xmlns:r="r"><w:body>${body}</w:body></w:document>`,
		...Object.fromEntries(Object.entries(parts).map(([name, xml]) => [`word/${name}`, xml])),
		...(core === undefined ? {} : { "docProps/core.xml": `<cp:coreProperties>${core}</cp:coreProperties>` }),
	});
}

/** A paragraph of Word: its text, and what stands in its properties. */
export function wordParagraph(text: string, properties = ""): string {
	return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export interface SheetParts {
	readonly name: string;
	/** What stands in `worksheet`. */
	readonly xml: string;
	readonly state?: string;
	/** Of the sheet, with paths seen from `xl/worksheets/`. */
	readonly relations?: Relations;
}

/** @param parts further parts by their whole path. */
export function xlsxOf(sheets: readonly SheetParts[], parts: Readonly<Record<string, string>> = {}, workbook = ""): Uint8Array {
	const entries = sheets.map(
		({ name, state }, index) => `<sheet name="${name}" sheetId="${index + 7}" ${state === undefined ? "" : `state="${state}"`} r:id="s${index}"/>`,
	);
	const files = sheets.flatMap(({ xml, relations }, index): [string, string][] => [
		[`xl/worksheets/sheet${sheets.length - index}.xml`, `<worksheet>${xml}</worksheet>`],
		...(relations === undefined ? [] : [[`xl/worksheets/_rels/sheet${sheets.length - index}.xml.rels`, relationsXml(relations)] as [string, string]]),
	]);
	const targets = sheets.map((_, index): [string, readonly [string, string]] => [`s${index}`, ["worksheet", `worksheets/sheet${sheets.length - index}.xml`]]);
	return packageOf("xl/workbook.xml", {
		"xl/workbook.xml": `<workbook xmlns:r="r">${workbook}<sheets>${entries.join("")}</sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": relationsXml({
			...Object.fromEntries(targets),
			strings: ["sharedStrings", "sharedStrings.xml"],
			styles: ["styles", "styles.xml"],
		}),
		...Object.fromEntries(files),
		...parts,
	});
}

/** A sheet of texts and numbers; a blank one leaves its cell out. */
export function sheetData(rows: readonly (readonly (string | number)[])[]): string {
	const written = rows.map((cells, row) => {
		const inner = cells.map((cell, column) => {
			const address = `${String.fromCharCode(65 + column)}${row + 1}`;
			if (cell === "") return "";
			return typeof cell === "number" ? `<c r="${address}"><v>${cell}</v></c>` : `<c r="${address}" t="inlineStr"><is><t>${cell}</t></is></c>`;
		});
		return `<row r="${row + 1}">${inner.join("")}</row>`;
	});
	return `<sheetData>${written.join("")}</sheetData>`;
}

export interface SlideParts {
	/** What stands in the tree of shapes. */
	readonly shapes: string;
	readonly isHidden?: boolean;
	/** Of the slide, with paths seen from `ppt/slides/`. */
	readonly relations?: Relations;
}

/** Files of slides are numbered backwards, so that only the list tells their order. @param parts further parts by their whole path. */
export function pptxOf(slides: readonly SlideParts[], parts: Readonly<Record<string, string>> = {}, relations: Relations = {}): Uint8Array {
	const numberOf = (index: number) => slides.length - index;
	const files = slides.flatMap(({ shapes, isHidden, relations: own = {} }, index): [string, string][] => [
		[`ppt/slides/slide${numberOf(index)}.xml`, `<p:sld ${isHidden === true ? 'show="0"' : ""}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`],
		[`ppt/slides/_rels/slide${numberOf(index)}.xml.rels`, relationsXml(own)],
	]);
	const targets = slides.map((_, index): [string, readonly [string, string]] => [`s${index}`, ["slide", `slides/slide${numberOf(index)}.xml`]]);
	return packageOf("ppt/presentation.xml", {
		"ppt/presentation.xml": `<p:presentation><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index}"/>`).join("")}</p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels": relationsXml({ ...Object.fromEntries(targets), ...relations }),
		...Object.fromEntries(files),
		...parts,
	});
}

/** A shape with a line for each text. @param placeholder its type; null for a free box. */
export function shape(placeholder: string | null, texts: readonly string[], properties = ""): string {
	const ph = placeholder === null ? "" : `<p:ph type="${placeholder}" idx="${placeholder.length}"/>`;
	const lines = texts.map((text) => `<a:p><a:pPr ${properties}/><a:r><a:t>${text}</a:t></a:r></a:p>`);
	return `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:txBody>${lines.join("")}</p:txBody></p:sp>`;
}

/** A Visio drawing. @param pages the relationship of each page; `r1` leads to the one part that there is @param shapes what is in it */
export function vsdxOf(pages: readonly string[], shapes: string, names: readonly string[] = []): Uint8Array {
	const listed = pages.map((id, at) => `<Page ID="${at}" Name="${names[at] ?? `Page-${at + 1}`}"><Rel r:id="${id}"/></Page>`).join("");
	return zipOf({
		"[Content_Types].xml": "<Types/>",
		"_rels/.rels": relationsXml({ r: ["document", "visio/document.xml"] }),
		"visio/document.xml": "<VisioDocument/>",
		"visio/_rels/document.xml.rels": relationsXml({ r: ["pages", "pages/pages.xml"] }),
		"visio/pages/pages.xml": `<Pages>${listed}</Pages>`,
		"visio/pages/_rels/pages.xml.rels": relationsXml({ r1: ["page", "page1.xml"] }),
		"visio/pages/page1.xml": `<PageContents><Shapes>${shapes}</Shapes></PageContents>`,
	});
}
