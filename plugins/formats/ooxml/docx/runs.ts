/** The runs of a Word paragraph → pieces of text with their formatting, and anchored objects: text boxes, pictures, charts. */

import { formulaPiece, isExternalUrl, type Piece } from "../../blocks/inline-text.ts";
import type { Script } from "../../blocks/scripted-text.ts";
import { readOmml } from "../../math/omml.ts";
import { symbolText } from "../../text/symbol-fonts.ts";
import { attributeOf, elementByPath, elementsOf, prefixedAttribute, textOf, valueByPath, type XmlElement } from "../../xml/xml-element.ts";
import type { Relation } from "../package.ts";
import { wholeNumber } from "./styles.ts";

export interface Runs {
	readonly pieces: Piece[];
	/** Drawings and embedded objects, in order. */
	readonly drawings: XmlElement[];
	/** Ids of comments whose range ends here. */
	readonly comments: string[];
}

export interface RunReader {
	readonly relations: ReadonlyMap<string, Relation>;
	/** The reference mark of a note in the text; empty if there is no such note. */
	readonly noteMark: (kind: "footnote" | "endnote", id: string) => string;
}

/** A Word field. Only its result is read; its code, between `begin` and `separate`, is left out. */
interface Field {
	code: string;
	isResult: boolean;
}

/** Elements that only contain runs. The elements of deleted and moved-away text are not among them, so it is skipped. */
const containers = new Set(["ins", "moveTo", "smartTag", "customXml", "sdtContent", "fldSimple", "dir", "bdo", "rubyBase"]);

export function readRuns(paragraph: XmlElement, reader: RunReader): Runs {
	const runs: Runs = { pieces: [], drawings: [], comments: [] };
	const fields: Field[] = [];

	const addText = (text: string, run: XmlElement | null, url: string | null) => {
		if (text === "" || fields.some((field) => !field.isResult)) return;
		const format = elementByPath(run, "rPr");
		if (isOn(format, "vanish")) return;
		const target = url ?? fieldUrl(fields);
		runs.pieces.push({ text, isBold: isOn(format, "b"), isItalic: isOn(format, "i"), url: target, script: scriptOf(format) });
	};

	const walk = (element: XmlElement, url: string | null): void => {
		for (const child of elementsOf(element)) {
			if (child.name === "r") readRun(child, url);
			else if (containers.has(child.name)) walk(child, url);
			else if (child.name === "hyperlink") walk(child, linkUrl(child, reader.relations) ?? url);
			else if (child.name === "sdt") walk(elementByPath(child, "sdtContent") ?? emptyElement, url);
			else if (child.name === "AlternateContent") walk(chosenAlternative(child), url);
			else if (child.name === "oMath" || child.name === "oMathPara") addFormulas(child);
		}
	};

	const addFormulas = (math: XmlElement): void => {
		if (fields.every((field) => field.isResult)) runs.pieces.push(...formulaPieces(math));
	};

	const readRun = (run: XmlElement, url: string | null): void => {
		for (const child of elementsOf(run)) {
			switch (child.name) {
				case "t":
					addText(convertSymbols(textOf(child), run), run, url);
					break;
				case "tab":
				case "ptab":
					addText("\t", run, null);
					break;
				case "br":
				case "cr":
					addText("\n", run, null);
					break;
				case "noBreakHyphen":
					addText("-", run, url);
					break;
				case "sym":
					addText(symbolText(attributeOf(child, "font") ?? "", attributeOf(child, "char") ?? ""), run, url);
					break;
				case "ruby":
					walk(elementByPath(child, "rubyBase") ?? emptyElement, url);
					break;
				case "fldChar":
					addText(formValue(elementByPath(child, "ffData")), run, null);
					advanceField(fields, attributeOf(child, "fldCharType"));
					break;
				case "instrText": {
					const field = fields.at(-1);
					if (field !== undefined) field.code += textOf(child);
					break;
				}
				case "footnoteReference":
				case "endnoteReference":
					runs.pieces.push({ text: reader.noteMark(child.name === "footnoteReference" ? "footnote" : "endnote", attributeOf(child, "id") ?? "") });
					break;
				case "commentReference":
					runs.comments.push(attributeOf(child, "id") ?? "");
					break;
				case "AlternateContent":
					readRun(chosenAlternative(child), url);
					break;
				case "drawing":
				case "pict":
				case "object":
					runs.drawings.push(child);
			}
		}
	};

	walk(paragraph, null);
	return runs;
}

/** Display formulas get a line each. */
function formulaPieces(math: XmlElement): readonly Piece[] {
	const pieces = readOmml(math).map(formulaPiece);
	return math.name === "oMathPara" ? pieces.flatMap((piece) => [{ text: "\n" }, piece, { text: "\n" }]) : pieces;
}

const emptyElement: XmlElement = { name: "", attributes: {}, children: [] };

/** The newer choice of an `mc:AlternateContent`, unless it is empty; then its fallback. */
export function chosenAlternative(alternatives: XmlElement): XmlElement {
	const choice = elementByPath(alternatives, "Choice");
	return choice !== null && choice.children.length > 0 ? choice : (elementByPath(alternatives, "Fallback") ?? emptyElement);
}

const scriptNames: Readonly<Record<string, Script>> = { superscript: "above", subscript: "below" };

function scriptOf(format: XmlElement | null): Script | null {
	return scriptNames[valueByPath(format, "vertAlign") ?? ""] ?? null;
}

/** Characters of the private use area, whose meaning depends on the font. */
const privateUseCharacters = /[\uf020-\uf0ff]/g;

function convertSymbols(text: string, run: XmlElement): string {
	const fonts = elementByPath(run, "rPr", "rFonts");
	const font = attributeOf(fonts, "ascii") ?? attributeOf(fonts, "hAnsi") ?? "";
	return text.replace(privateUseCharacters, (character) => symbolText(font, character.charCodeAt(0).toString(16)));
}

/** The value of a legacy form field (a drop-down list or a check box), which is not in a run. */
function formValue(form: XmlElement | null): string {
	const [list, box] = [elementByPath(form, "ddList"), elementByPath(form, "checkBox")];
	const selectedIndex = wholeNumber(valueByPath(list, "result") ?? valueByPath(list, "default")) ?? 0;
	if (list !== null) return attributeOf(elementsOf(list, "listEntry")[selectedIndex] ?? null, "val") ?? "";
	if (box === null) return "";
	return isOn(box, elementByPath(box, "checked") === null ? "default" : "checked") ? "☒" : "☐";
}

function advanceField(fields: Field[], type: string | null): void {
	const field = fields.at(-1);
	if (type === "begin") fields.push({ code: "", isResult: false });
	else if (type === "separate" && field !== undefined) field.isResult = true;
	else if (type === "end") fields.pop();
}

function fieldUrl(fields: readonly Field[]): string | null {
	for (const { code } of fields) {
		const url = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(code)?.[1];
		if (url !== undefined && isExternalUrl(url)) return url;
	}
	return null;
}

function linkUrl(element: XmlElement, relations: ReadonlyMap<string, Relation>): string | null {
	const relation = relations.get(prefixedAttribute(element, "id") ?? "");
	return relation?.isExternal === true && isExternalUrl(relation.target) ? relation.target : null;
}

/** `<w:b/>` is on, `<w:b w:val="0"/>` off. */
function isOn(format: XmlElement | null, name: string): boolean {
	const element = elementByPath(format, name);
	return element !== null && !/^(?:0|false|off|none)$/.test(valueByPath(format, name) ?? "1");
}
