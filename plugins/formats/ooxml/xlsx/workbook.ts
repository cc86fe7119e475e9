/** What all sheets of a workbook share: their order and names, the string table, number formats and the date system. */

import { fail, limits } from "cairn-memory";
import { builtInFormat, compileFormat, general, type NumberFormat } from "../../sheets/number-format.ts";
import { attributeOf, elementByPath, elementsOf, isXmlElement, numberOf, prefixedAttribute, textOf, type XmlElement } from "../../xml/xml-element.ts";
import { type OfficePackage, targetOf } from "../package.ts";

export interface Workbook {
	readonly sheets: readonly SheetEntry[];
	readonly strings: readonly string[];
	readonly formatOf: (style: number) => NumberFormat;
	/** Whether dates count from 1904, as in old Mac workbooks, and not from 1900. */
	readonly is1904: boolean;
}

export interface SheetEntry {
	readonly name: string;
	readonly path: string;
	readonly isHidden: boolean;
}

export function readWorkbook(office: OfficePackage, path: string): Workbook {
	const root = office.part(path);
	const relations = office.relations(path);
	const sheets = elementsOf(elementByPath(root, "sheets"), "sheet").flatMap((sheet): readonly SheetEntry[] => {
		const target = relations.get(prefixedAttribute(sheet, "id") ?? "");
		if (target === undefined || target.isExternal) return [];
		const state = attributeOf(sheet, "state");
		return [{ name: attributeOf(sheet, "name")?.trim() ?? "", path: target.target, isHidden: state === "hidden" || state === "veryHidden" }];
	});
	return {
		sheets,
		strings: readStrings(office, targetOf(relations, "sharedStrings")),
		formatOf: readFormats(office.part(targetOf(relations, "styles"))),
		is1904: /^(?:1|true)$/.test(attributeOf(elementByPath(root, "workbookPr"), "date1904") ?? ""),
	};
}

const stringElements = new Set(["si"]);

/** Streamed, since the declared number of strings cannot be trusted. */
function readStrings(office: OfficePackage, path: string | null): readonly string[] {
	const strings: string[] = [];
	let characters = 0;
	if (path === null) return strings;
	office.stream(path, stringElements, (element) => {
		const text = richText(element);
		characters += text.length;
		if (characters > limits.extractedCharactersMax) throw fail("OUTPUT_TOO_LARGE", `${limits.extractedCharactersMax} characters`);
		strings.push(text);
	});
	return strings;
}

/** Plain text or runs; phonetic hints (`rPh`) are left out. */
export function richText(element: XmlElement | null): string {
	const parts = (element?.children ?? []).map((child) => {
		if (!isXmlElement(child)) return "";
		if (child.name === "t") return textOf(child);
		return child.name === "r" ? elementsOf(child, "t").map(textOf).join("") : "";
	});
	return unescaped(parts.join(""));
}

/** Decodes escapes such as `_x000D_`, which stand for characters that XML cannot contain. */
export function unescaped(text: string): string {
	if (!text.includes("_x")) return text;
	return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))).toWellFormed();
}

function readFormats(root: XmlElement | null): (style: number) => NumberFormat {
	const codes = new Map(
		elementsOf(elementByPath(root, "numFmts"), "numFmt").map((format) => [numberOf(format, "numFmtId", -1), attributeOf(format, "formatCode") ?? ""]),
	);
	const styles = elementsOf(elementByPath(root, "cellXfs"), "xf").map((style) => numberOf(style, "numFmtId", 0));
	const compiled = new Map<number, NumberFormat>();
	return (style) => {
		const id = styles[style] ?? 0;
		if (id === 0) return general;
		const format = compiled.get(id) ?? compileFormat(codes.get(id) ?? builtInFormat(id));
		compiled.set(id, format);
		return format;
	};
}
