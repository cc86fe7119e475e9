/** Reads equations of Office (OMML) into formulas. */

import { type Formula, isEmpty, type MathVariant, type RenderedFormula, rowOf } from "../blocks/formula.ts";
import { attributeOf, elementByPath, elementsOf, textOf, valueByPath, type XmlElement } from "../xml/xml-element.ts";
import { formulaLine } from "./formula-line.ts";
import { latexOf } from "./latex.ts";
import { styledSymbols } from "./styled-symbols.ts";

/** @param math an `oMath`, or an `oMathPara`, which holds display equations. */
export function readOmml(math: XmlElement): readonly RenderedFormula[] {
	if (math.name === "oMathPara") return elementsOf(math, "oMath").flatMap((line) => render(line, true));
	return render(math, false);
}

function render(math: XmlElement, isDisplay: boolean): readonly RenderedFormula[] {
	const formula = convertChildren(math);
	return isEmpty(formula) ? [] : [{ latex: latexOf(formula), text: formulaLine(formula), isDisplay }];
}

function convertChildren(element: XmlElement | null): Formula {
	return rowOf(elementsOf(element).flatMap((child) => convert(child)));
}

/** Deleted or moved text, and formatting properties such as `rPr`. */
function isIgnored({ name }: XmlElement): boolean {
	return name === "del" || name === "moveFrom" || name.endsWith("Pr");
}

function convert(element: XmlElement): readonly Formula[] {
	const read = converters.get(element.name);
	if (read !== undefined) return [read(element)];
	return isIgnored(element) ? [] : elementsOf(element).flatMap(convert);
}

const converters: ReadonlyMap<string, (element: XmlElement) => Formula> = new Map([
	["r", run],
	["f", fraction],
	["sSup", scripts],
	["sSub", scripts],
	["sSubSup", scripts],
	["sPre", scripts],
	["rad", root],
	["nary", nary],
	["d", fence],
	["func", call],
	["limLow", stack],
	["limUpp", stack],
	["m", matrix],
	["eqArr", system],
	["acc", accent],
	["bar", bar],
	["groupChr", group],
	["borderBox", boxed],
	["phant", phantom],
]);

function child(element: XmlElement, name: string): Formula {
	return convertChildren(elementByPath(element, name));
}

function optional(element: XmlElement, name: string): Formula | null {
	const formula = child(element, name);
	return isEmpty(formula) ? null : formula;
}

const variantByName: Readonly<Record<string, MathVariant>> = {
	"double-struck": "double-struck",
	script: "script",
	fraktur: "fraktur",
	"sans-serif": "sans-serif",
	monospace: "monospace",
};

function run(element: XmlElement): Formula {
	const text = elementsOf(element, "t").map(textOf).join("");
	const format = elementByPath(element, "rPr");
	if (isOn(format, "nor")) return { kind: "prose", text };
	const style = valueByPath(format, "sty");
	const variant = variantByName[valueByPath(format, "scr") ?? ""] ?? (style === "b" || style === "bi" ? "bold" : "default");
	return styledSymbols(text, style === "p" && variant === "default" && /\p{L}{2}/u.test(text) ? "upright" : variant);
}

function fraction(element: XmlElement): Formula {
	const type = valueByPath(element, "fPr", "type");
	const [numerator, denominator] = [child(element, "num"), child(element, "den")];
	if (type === "lin" || type === "skw") return rowOf([numerator, { kind: "symbols", text: "/", variant: "default" }, denominator]);
	return { kind: "fraction", numerator, denominator, hasLine: type !== "noBar" };
}

function scripts(element: XmlElement): Formula {
	return { kind: "scripts", base: child(element, "e"), sub: optional(element, "sub"), sup: optional(element, "sup"), isPrescript: element.name === "sPre" };
}

function root(element: XmlElement): Formula {
	return { kind: "root", content: child(element, "e"), degree: isOn(elementByPath(element, "radPr"), "degHide") ? null : optional(element, "deg") };
}

function nary(element: XmlElement): Formula {
	const format = elementByPath(element, "naryPr");
	const limit = (name: string) => (isOn(format, `${name}Hide`) ? null : optional(element, name));
	const operator: Formula = { kind: "symbols", text: valueByPath(format, "chr") ?? "∫", variant: "default" };
	return rowOf([{ kind: "scripts", base: operator, sub: limit("sub"), sup: limit("sup"), isPrescript: false }, child(element, "e")]);
}

function fence(element: XmlElement): Formula {
	const operator = (name: string, fallback: string) => valueByPath(element, "dPr", name) ?? fallback;
	return {
		kind: "fence",
		open: operator("begChr", "("),
		close: operator("endChr", ")"),
		separator: operator("sepChr", "|"),
		parts: elementsOf(element, "e").map(convertChildren),
	};
}

function call(element: XmlElement): Formula {
	return { kind: "call", name: asFunctionName(child(element, "fName")), argument: child(element, "e") };
}

/** Marks the letters as a function's name, so that `sin` is not read as s·i·n. */
function asFunctionName(formula: Formula): Formula {
	if (formula.kind === "symbols" && /\p{L}/u.test(formula.text)) return { kind: "name", text: formula.text.trim() };
	if (formula.kind === "scripts" || formula.kind === "stack") return { ...formula, base: asFunctionName(formula.base) };
	return formula;
}

/** A limit below or above its base, as under `lim`. */
function stack(element: XmlElement): Formula {
	const limit = child(element, "lim");
	const isLow = element.name === "limLow";
	return { kind: "stack", base: child(element, "e"), under: isLow ? limit : null, over: isLow ? null : limit };
}

function matrix(element: XmlElement): Formula {
	return { kind: "grid", rows: elementsOf(element, "mr").map((row) => elementsOf(row, "e").map(convertChildren)), isSystem: false };
}

/** An equation array. `&` is an alignment point in it, not a character. */
function system(element: XmlElement): Formula {
	const lines = elementsOf(element, "e").map((line) => splitAtAlignment(convertChildren(line)));
	const [single] = lines;
	return lines.length === 1 && single !== undefined ? single : { kind: "grid", rows: lines.map((line) => [line]), isSystem: true };
}

function splitAtAlignment(formula: Formula): Formula {
	if (formula.kind === "row") return rowOf(formula.parts.map(splitAtAlignment));
	if (formula.kind !== "symbols" || !formula.text.includes("&")) return formula;
	const pieces = formula.text.split("&").map((text): Formula => ({ ...formula, text }));
	return rowOf(pieces.flatMap((piece, index): readonly Formula[] => (index === 0 ? [piece] : [{ kind: "align" }, piece])));
}

function accent(element: XmlElement): Formula {
	return { kind: "accent", mark: valueByPath(element, "accPr", "chr") ?? "\u0302", isBelow: false, content: child(element, "e") };
}

function bar(element: XmlElement): Formula {
	return { kind: "accent", mark: "¯", isBelow: valueByPath(element, "barPr", "pos") !== "top", content: child(element, "e") };
}

function group(element: XmlElement): Formula {
	const format = elementByPath(element, "groupChrPr");
	return { kind: "accent", mark: valueByPath(format, "chr") ?? "⏟", isBelow: valueByPath(format, "pos") !== "top", content: child(element, "e") };
}

function boxed(element: XmlElement): Formula {
	return { kind: "box", content: child(element, "e") };
}

/** A phantom reserves space; its content is shown or hidden. */
function phantom(element: XmlElement): Formula {
	const show = elementByPath(element, "phantPr", "show");
	return show !== null && !isOn(elementByPath(element, "phantPr"), "show") ? rowOf([]) : child(element, "e");
}

function isOn(format: XmlElement | null, name: string): boolean {
	const element = elementByPath(format, name);
	return element !== null && !/^(?:0|false|off)$/.test(attributeOf(element, "val") ?? "1");
}
