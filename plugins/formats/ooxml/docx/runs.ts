/** The runs of a Word paragraph → pieces of text with their formatting, and anchored objects: text boxes, pictures, charts. */

import { formulaPiece, isWebAddress, type Piece } from "../../blocks/inline-text.ts";
import type { Script } from "../../blocks/scripted-text.ts";
import { readOmml } from "../../math/omml.ts";
import { symbolText } from "../../text/symbol-fonts.ts";
import { attributeOf, elementAt, elementsOf, prefixedAttribute, textOf, valueAt, type XmlElement } from "../../xml/xml-element.ts";
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
	/** The note's mark in the text; empty when there is no such note. */
	readonly noteMark: (kind: "footnote" | "endnote", id: string) => string;
}

/** Of a field only the result is read; its code, between `begin` and `separate`, is left out. */
interface Field {
	code: string;
	isResult: boolean;
}

/** Elements that only contain runs. Deleted and moved-away text is not among them. */
const holders = new Set(["ins", "moveTo", "smartTag", "customXml", "sdtContent", "fldSimple", "dir", "bdo", "rubyBase"]);

export function readRuns(paragraph: XmlElement, reader: RunReader): Runs {
	const runs: Runs = { pieces: [], drawings: [], comments: [] };
	const fields: Field[] = [];

	const say = (text: string, run: XmlElement | null, address: string | null) => {
		if (text === "" || fields.some((field) => !field.isResult)) return;
		const format = elementAt(run, "rPr");
		if (isOn(format, "vanish")) return;
		const target = address ?? fieldAddress(fields);
		runs.pieces.push({ text, isBold: isOn(format, "b"), isItalic: isOn(format, "i"), address: target, script: scriptOf(format) });
	};

	const walk = (element: XmlElement, address: string | null): void => {
		for (const child of elementsOf(element)) {
			if (child.name === "r") readRun(child, address);
			else if (holders.has(child.name)) walk(child, address);
			else if (child.name === "hyperlink") walk(child, linkOf(child, reader.relations) ?? address);
			else if (child.name === "sdt") walk(elementAt(child, "sdtContent") ?? emptyElement, address);
			else if (child.name === "AlternateContent") walk(chosen(child), address);
			else if (child.name === "oMath" || child.name === "oMathPara") addFormulas(child);
		}
	};

	const addFormulas = (math: XmlElement): void => {
		if (fields.every((field) => field.isResult)) runs.pieces.push(...formulaPieces(math));
	};

	const readRun = (run: XmlElement, address: string | null): void => {
		for (const child of elementsOf(run)) {
			switch (child.name) {
				case "t":
					say(shownText(textOf(child), run), run, address);
					break;
				case "tab":
				case "ptab":
					say("\t", run, null);
					break;
				case "br":
				case "cr":
					say("\n", run, null);
					break;
				case "noBreakHyphen":
					say("-", run, address);
					break;
				case "sym":
					say(symbolText(attributeOf(child, "font") ?? "", attributeOf(child, "char") ?? ""), run, address);
					break;
				case "ruby":
					walk(elementAt(child, "rubyBase") ?? emptyElement, address);
					break;
				case "fldChar":
					say(formValue(elementAt(child, "ffData")), run, null);
					turnField(fields, attributeOf(child, "fldCharType"));
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
					readRun(chosen(child), address);
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

/** Of `mc:AlternateContent` the newer choice, which has more content. */
export function chosen(alternatives: XmlElement): XmlElement {
	const choice = elementAt(alternatives, "Choice");
	return choice !== null && choice.children.length > 0 ? choice : (elementAt(alternatives, "Fallback") ?? emptyElement);
}

const scripts: Readonly<Record<string, Script>> = { superscript: "above", subscript: "below" };

function scriptOf(format: XmlElement | null): Script | null {
	return scripts[valueAt(format, "vertAlign") ?? ""] ?? null;
}

/** Characters of the private use area, whose meaning depends on a symbol font. */
const privateSigns = /[\uf020-\uf0ff]/g;

function shownText(text: string, run: XmlElement): string {
	const fonts = elementAt(run, "rPr", "rFonts");
	const font = attributeOf(fonts, "ascii") ?? attributeOf(fonts, "hAnsi") ?? "";
	return text.replace(privateSigns, (sign) => symbolText(font, sign.charCodeAt(0).toString(16)));
}

/** The value of a legacy form field, which is not in a run. */
function formValue(form: XmlElement | null): string {
	const [list, box] = [elementAt(form, "ddList"), elementAt(form, "checkBox")];
	const chosen = wholeNumber(valueAt(list, "result") ?? valueAt(list, "default")) ?? 0;
	if (list !== null) return attributeOf(elementsOf(list, "listEntry")[chosen] ?? null, "val") ?? "";
	if (box === null) return "";
	return isOn(box, elementAt(box, "checked") === null ? "default" : "checked") ? "☒" : "☐";
}

function turnField(fields: Field[], turn: string | null): void {
	const field = fields.at(-1);
	if (turn === "begin") fields.push({ code: "", isResult: false });
	else if (turn === "separate" && field !== undefined) field.isResult = true;
	else if (turn === "end") fields.pop();
}

function fieldAddress(fields: readonly Field[]): string | null {
	for (const { code } of fields) {
		const address = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(code)?.[1];
		if (address !== undefined && isWebAddress(address)) return address;
	}
	return null;
}

function linkOf(element: XmlElement, relations: ReadonlyMap<string, Relation>): string | null {
	const relation = relations.get(prefixedAttribute(element, "id") ?? "");
	return relation?.isExternal === true && isWebAddress(relation.target) ? relation.target : null;
}

/** `<w:b/>` is on, `<w:b w:val="0"/>` off. */
function isOn(format: XmlElement | null, name: string): boolean {
	const element = elementAt(format, name);
	return element !== null && !/^(?:0|false|off|none)$/.test(valueAt(format, name) ?? "1");
}
