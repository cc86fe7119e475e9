/** Reads MathML. A LaTeX annotation is preferred: it is what the author typed. */

import { type Formula, isEmpty, type MathVariant, type RenderedFormula, rowOf } from "../blocks/formula.ts";
import { attributeOf, elementsOf, isXmlElement, outermost, textOf, type XmlElement } from "../xml/xml-element.ts";
import { styledLetters } from "./formula-letters.ts";
import { linearOf } from "./formula-line.ts";
import { latexOf } from "./latex.ts";
import { accentCommand } from "./latex-accents.ts";
import { isFunctionName } from "./latex-signs.ts";
import { withFences } from "./mathml-fences.ts";
import { tidyTex, wordsOfTex } from "./tex.ts";

/** @returns null for an empty formula. */
export function readMathMl(math: XmlElement): RenderedFormula | null {
	const notes = [...outermost(math, "annotation")];
	const tex = notes.find((note) => /tex/i.test(attributeOf(note, "encoding") ?? ""));
	const formula = inside(math);
	const typed = tidyTex(textOf(tex ?? null));
	const latex = typed === "" ? latexOf(formula) : typed;
	const text = isEmpty(formula) ? wordsOfTex(typed) : linearOf(formula);
	if (text !== "") return { latex, text, isDisplay: isDisplay(math) };
	// The only content is an annotation in another language, such as StarMath.
	const line = textOf(notes[0] ?? null)
		.replace(/\s+/g, " ")
		.trim();
	return line === "" ? null : { latex: "", text: line, isDisplay: false };
}

export function isDisplay(math: XmlElement): boolean {
	return attributeOf(math, "display") === "block" || attributeOf(math, "mode") === "display";
}

function inside(element: XmlElement): Formula {
	return withFences(elementsOf(element).map(part));
}

function part(element: XmlElement): Formula {
	const read = parts.get(element.name);
	if (read !== undefined) return read(element);
	return silent.has(element.name) ? rowOf([]) : inside(element);
}

/** Alternative representations, and elements that only reserve space. */
const silent: ReadonlySet<string> = new Set(["annotation", "annotation-xml", "mphantom", "none", "mprescripts", "maligngroup", "malignmark", "mlongdiv"]);

const parts: ReadonlyMap<string, (element: XmlElement) => Formula> = new Map([
	["mi", identifier],
	["mn", identifier],
	["mo", operator],
	["mtext", words],
	["ms", words],
	["mspace", () => blank],
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

const blank: Formula = { kind: "letters", text: " ", variant: "plain" };

function child(element: XmlElement, index: number): Formula {
	const found = elementsOf(element)[index];
	return found === undefined ? rowOf([]) : part(found);
}

function firstOf(element: XmlElement): Formula {
	const [first] = elementsOf(element);
	return first === undefined || first.name.startsWith("annotation") ? rowOf([]) : part(first);
}

function textIn(element: XmlElement): string {
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
	const text = textIn(element).trim();
	if (isFunctionName(text)) return { kind: "name", text };
	const variant = variants[attributeOf(element, "mathvariant") ?? ""];
	const isWord = element.name === "mi" && /^\p{L}{2,}$/u.test(text);
	const look = variant === "upright" && !isWord ? "plain" : (variant ?? (isWord ? "upright" : "plain"));
	return styledLetters(text, look);
}

/** Invisible operators, such as function application, are left out. */
function operator(element: XmlElement): Formula {
	const text = textIn(element)
		.replace(/[\u2061-\u2064]/g, "")
		.trim();
	return /^\p{L}{2,}$/u.test(text) ? { kind: "name", text } : { kind: "letters", text, variant: "plain" };
}

function words(element: XmlElement): Formula {
	const text = textIn(element);
	return text.trim() === "" ? blank : { kind: "words", text };
}

function fraction(element: XmlElement): Formula {
	const [above, below] = [child(element, 0), child(element, 1)];
	if (attributeOf(element, "bevelled") === "true") return rowOf([above, { kind: "letters", text: "/", variant: "plain" }, below]);
	return { kind: "fraction", numerator: above, denominator: below, hasLine: !/^0+(?:\.0*)?(?:[a-z]+|%)?$/.test(attributeOf(element, "linethickness") ?? "1") };
}

function squareRoot(element: XmlElement): Formula {
	return { kind: "root", inside: inside(element), degree: null };
}

function root(element: XmlElement): Formula {
	return { kind: "root", inside: child(element, 0), degree: child(element, 1) };
}

function scripts(element: XmlElement): Formula {
	const sup = element.name === "msub" ? null : child(element, element.name === "msup" ? 1 : 2);
	return { kind: "scripts", base: child(element, 0), sub: element.name === "msup" ? null : child(element, 1), sup, isPrescript: false };
}

function stack(element: XmlElement): Formula {
	const base = child(element, 0);
	const over = element.name === "munder" ? null : child(element, element.name === "mover" ? 1 : 2);
	const under = element.name === "mover" ? null : child(element, 1);
	const [only, isBelow] = over === null ? [under, true] : [over, false];
	const sign = only?.kind === "letters" ? only.text : "";
	if (element.name !== "munderover" && accentCommand(sign, isBelow, true) !== null) return { kind: "accent", sign, isBelow, inside: base };
	return { kind: "stack", base, under, over };
}

/** The base, pairs of postscripts, then after `mprescripts` pairs of prescripts. */
function multiscripts(element: XmlElement): Formula {
	const all = elementsOf(element);
	const mark = all.findIndex(({ name }) => name === "mprescripts");
	const [after, before] = mark < 0 ? [all.slice(1), []] : [all.slice(1, mark), all.slice(mark + 1)];
	const every = (from: readonly XmlElement[], which: number) => {
		const formula = rowOf(from.filter((_, index) => index % 2 === which).map(part));
		return isEmpty(formula) ? null : formula;
	};
	const base: Formula = after.length === 0 ? child(element, 0) : scriptsOf(child(element, 0), every(after, 0), every(after, 1), false);
	return before.length === 0 ? base : scriptsOf(base, every(before, 0), every(before, 1), true);
}

function scriptsOf(base: Formula, sub: Formula | null, sup: Formula | null, isBefore: boolean): Formula {
	return { kind: "scripts", base, sub, sup, isPrescript: isBefore };
}

/** A table aligned alternately right and left is an equation system. */
function table(element: XmlElement): Formula {
	const rows = elementsOf(element, "mtr", "mlabeledtr").map((row) =>
		elementsOf(row, "mtd")
			.slice(row.name === "mlabeledtr" ? 1 : 0)
			.map(inside),
	);
	return { kind: "grid", rows, isSystem: /^\s*right\s+left\b/.test(attributeOf(element, "columnalign") ?? "") };
}

function fenced(element: XmlElement): Formula {
	const sign = (name: string, usual: string) => (attributeOf(element, name) ?? usual).trim();
	const [separator = ""] = sign("separators", ",");
	return { kind: "fence", open: sign("open", "("), close: sign("close", ")"), separator, parts: elementsOf(element).map(part) };
}

function enclosed(element: XmlElement): Formula {
	const notation = attributeOf(element, "notation") ?? "";
	if (/\bradical\b/.test(notation)) return squareRoot(element);
	return /\b(?:box|roundedbox|circle)\b/.test(notation) ? { kind: "box", inside: inside(element) } : inside(element);
}
