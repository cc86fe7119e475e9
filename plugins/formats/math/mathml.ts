/** Reads MathML. A LaTeX annotation is preferred, since it is what the author typed. */

import { type Formula, isEmpty, type MathVariant, type RenderedFormula, rowOf } from "../blocks/formula.ts";
import { attributeOf, elementsOf, isXmlElement, textOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";
import { formulaLine } from "./formula-line.ts";
import { latexOf } from "./latex.ts";
import { accentCommand } from "./latex-accents.ts";
import { isFunctionName } from "./latex-symbols.ts";
import { withFences } from "./mathml-fences.ts";
import { styledSymbols } from "./styled-symbols.ts";
import { cleanTex, texToText } from "./tex.ts";

/** @returns null for an empty formula. */
export function readMathMl(math: XmlElement): RenderedFormula | null {
	const annotations = [...topmostDescendants(math, "annotation")];
	const tex = annotations.find((annotation) => /tex/i.test(attributeOf(annotation, "encoding") ?? ""));
	const formula = childrenOf(math);
	const authorTex = cleanTex(textOf(tex ?? null));
	const latex = authorTex === "" ? latexOf(formula) : authorTex;
	const text = isEmpty(formula) ? texToText(authorTex) : formulaLine(formula);
	if (text !== "") return { latex, text, isDisplay: isDisplay(math) };
	// The only content is an annotation in another language, such as StarMath.
	const line = textOf(annotations[0] ?? null)
		.replace(/\s+/g, " ")
		.trim();
	return line === "" ? null : { latex: "", text: line, isDisplay: false };
}

export function isDisplay(math: XmlElement): boolean {
	return attributeOf(math, "display") === "block" || attributeOf(math, "mode") === "display";
}

function childrenOf(element: XmlElement): Formula {
	return withFences(elementsOf(element).map(convert));
}

function convert(element: XmlElement): Formula {
	const read = converters.get(element.name);
	if (read !== undefined) return read(element);
	return ignored.has(element.name) ? rowOf([]) : childrenOf(element);
}

/** Alternative representations, and elements that only reserve space. */
const ignored: ReadonlySet<string> = new Set(["annotation", "annotation-xml", "mphantom", "none", "mprescripts", "maligngroup", "malignmark", "mlongdiv"]);

const converters: ReadonlyMap<string, (element: XmlElement) => Formula> = new Map([
	["mi", identifier],
	["mn", identifier],
	["mo", operator],
	["mtext", prose],
	["ms", prose],
	["mspace", () => space],
	["mfrac", fraction],
	["msqrt", squareRoot],
	["mroot", root],
	["msub", scripts],
	["msup", scripts],
	["msubsup", scripts],
	["munder", stack],
	["mover", stack],
	["munderover", stack],
	["mmultiscripts", multiscripts],
	["mtable", table],
	["mfenced", fenced],
	["menclose", enclosed],
	["semantics", firstOf],
	["maction", firstOf],
]);

const space: Formula = { kind: "symbols", text: " ", variant: "default" };

function child(element: XmlElement, index: number): Formula {
	const found = elementsOf(element)[index];
	return found === undefined ? rowOf([]) : convert(found);
}

function firstOf(element: XmlElement): Formula {
	const [first] = elementsOf(element);
	return first === undefined || first.name.startsWith("annotation") ? rowOf([]) : convert(first);
}

function textContent(element: XmlElement): string {
	return element.children
		.map((node) => (isXmlElement(node) ? (attributeOf(node, "alt") ?? textOf(node)) : node))
		.join("")
		.replace(/[\s\u00a0]+/g, " ");
}

const variants: Readonly<Record<string, MathVariant>> = {
	normal: "upright",
	bold: "bold",
	"bold-italic": "bold",
	"double-struck": "double-struck",
	script: "script",
	"bold-script": "script",
	fraktur: "fraktur",
	"bold-fraktur": "fraktur",
	"sans-serif": "sans-serif",
	"bold-sans-serif": "sans-serif",
	monospace: "monospace",
};

function identifier(element: XmlElement): Formula {
	const text = textContent(element).trim();
	if (isFunctionName(text)) return { kind: "name", text };
	const variant = variants[attributeOf(element, "mathvariant") ?? ""];
	const isWord = element.name === "mi" && /^\p{L}{2,}$/u.test(text);
	const variantOrDefault = variant === "upright" && !isWord ? "default" : (variant ?? (isWord ? "upright" : "default"));
	return styledSymbols(text, variantOrDefault);
}

/** Reads an operator. Invisible operators, such as function application, are left out. */
function operator(element: XmlElement): Formula {
	const text = textContent(element)
		.replace(/[\u2061-\u2064]/g, "")
		.trim();
	return /^\p{L}{2,}$/u.test(text) ? { kind: "name", text } : { kind: "symbols", text, variant: "default" };
}

function prose(element: XmlElement): Formula {
	const text = textContent(element);
	return text.trim() === "" ? space : { kind: "prose", text };
}

function fraction(element: XmlElement): Formula {
	const [numerator, denominator] = [child(element, 0), child(element, 1)];
	if (attributeOf(element, "bevelled") === "true") return rowOf([numerator, { kind: "symbols", text: "/", variant: "default" }, denominator]);
	return { kind: "fraction", numerator, denominator, hasLine: !/^0+(?:\.0*)?(?:[a-z]+|%)?$/.test(attributeOf(element, "linethickness") ?? "1") };
}

function squareRoot(element: XmlElement): Formula {
	return { kind: "root", content: childrenOf(element), degree: null };
}

function root(element: XmlElement): Formula {
	return { kind: "root", content: child(element, 0), degree: child(element, 1) };
}

function scripts(element: XmlElement): Formula {
	const sup = element.name === "msub" ? null : child(element, element.name === "msup" ? 1 : 2);
	return { kind: "scripts", base: child(element, 0), sub: element.name === "msup" ? null : child(element, 1), sup, isPrescript: false };
}

function stack(element: XmlElement): Formula {
	const base = child(element, 0);
	const over = element.name === "munder" ? null : child(element, element.name === "mover" ? 1 : 2);
	const under = element.name === "mover" ? null : child(element, 1);
	const [script, isBelow] = over === null ? [under, true] : [over, false];
	const symbol = script?.kind === "symbols" ? script.text : "";
	if (element.name !== "munderover" && accentCommand(symbol, isBelow, true) !== null) return { kind: "accent", mark: symbol, isBelow, content: base };
	return { kind: "stack", base, under, over };
}

/** The children are the base, then postscripts in pairs of sub and sup, then `mprescripts` and prescripts in pairs. */
function multiscripts(element: XmlElement): Formula {
	const all = elementsOf(element);
	const separatorIndex = all.findIndex(({ name }) => name === "mprescripts");
	const [postscripts, prescripts] = separatorIndex < 0 ? [all.slice(1), []] : [all.slice(1, separatorIndex), all.slice(separatorIndex + 1)];
	const alternate = (elements: readonly XmlElement[], parity: number) => {
		const formula = rowOf(elements.filter((_, index) => index % 2 === parity).map(convert));
		return isEmpty(formula) ? null : formula;
	};
	const base: Formula =
		postscripts.length === 0 ? child(element, 0) : scriptsOf(child(element, 0), alternate(postscripts, 0), alternate(postscripts, 1), false);
	return prescripts.length === 0 ? base : scriptsOf(base, alternate(prescripts, 0), alternate(prescripts, 1), true);
}

function scriptsOf(base: Formula, sub: Formula | null, sup: Formula | null, isPrescript: boolean): Formula {
	return { kind: "scripts", base, sub, sup, isPrescript };
}

/** A table aligned alternately right and left is an equation system. */
function table(element: XmlElement): Formula {
	const rows = elementsOf(element, "mtr", "mlabeledtr").map((row) =>
		elementsOf(row, "mtd")
			.slice(row.name === "mlabeledtr" ? 1 : 0)
			.map(childrenOf),
	);
	return { kind: "grid", rows, isSystem: /^\s*right\s+left\b/.test(attributeOf(element, "columnalign") ?? "") };
}

function fenced(element: XmlElement): Formula {
	const symbol = (name: string, fallback: string) => (attributeOf(element, name) ?? fallback).trim();
	const [separator = ""] = symbol("separators", ",");
	return { kind: "fence", open: symbol("open", "("), close: symbol("close", ")"), separator, parts: elementsOf(element).map(convert) };
}

function enclosed(element: XmlElement): Formula {
	const notation = attributeOf(element, "notation") ?? "";
	if (/\bradical\b/.test(notation)) return squareRoot(element);
	return /\b(?:box|roundedbox|circle)\b/.test(notation) ? { kind: "box", content: childrenOf(element) } : childrenOf(element);
}
