/** Formulas of web pages: KaTeX, MathJax and wikis render each beside its MathML or LaTeX. Keeps one `math` element of them. */

import type { Element, ElementContent } from "hast";
import type { XmlElement, XmlNode } from "../xml/xml-element.ts";
import { attribute, findAll, isElement, type Node } from "./html-markup.ts";

/** Wrapper elements around all representations of a formula. */
const wrapperTags: ReadonlySet<string> = new Set(["mjx-container", "mjx-assistive-mml"]);
const wrapperClasses: ReadonlySet<string> = new Set(["katex", "katex-display", "mwe-math-element", "MathJax", "MathJax_Display", "MJXc-display", "mjx-chtml"]);
const displayClasses: ReadonlySet<string> = new Set(["katex-display", "MathJax_Display", "MJXc-display"]);

/** Classes of MathJax's rendered output, which precedes the source. */
const drawnClass = /^(?:MathJax|MJX|mjx-)/;

export function withPlainFormulas(nodes: readonly Node[]): readonly Node[] {
	return holdsFormulas(nodes) ? settled(nodes) : nodes;
}

/** Checked first, without copying, since most pages have no formula. */
function holdsFormulas(nodes: readonly Node[]): boolean {
	return nodes.some((node) => isElement(node) && (node.tagName === "math" || isSource(node) || isWrapper(node) || holdsFormulas(node.children)));
}

function settled(nodes: readonly Node[]): Node[] {
	const kept: Node[] = [];
	for (const node of nodes) {
		if (!isElement(node)) kept.push(node);
		else if (isSource(node)) {
			while (kept.length > 0 && isDrawn(kept.at(-1))) kept.pop();
			kept.push(formulaOfSource(node));
		} else if (isWrapper(node)) kept.push(formulaIn(node));
		else if (node.tagName === "math") kept.push(node);
		else kept.push({ ...node, children: settled(node.children) as ElementContent[] });
	}
	return kept;
}

function classesOf(element: Element): readonly string[] {
	return (attribute(element, "className") ?? "").split(" ");
}

function isWrapper(element: Element): boolean {
	return wrapperTags.has(element.tagName) || classesOf(element).some((name) => wrapperClasses.has(name));
}

function isSource(element: Element): boolean {
	return element.tagName === "script" && /^math\/tex\b/i.test(attribute(element, "type") ?? "");
}

/** Rendered output, or a preview of it. */
function isDrawn(node: Node | undefined): boolean {
	return isElement(node) && (classesOf(node).some((name) => drawnClass.test(name)) || (node.tagName === "math" && node.properties["dataDrawn"] === true));
}

/** A formula rendered without MathML keeps its text, although it is `aria-hidden`. */
function formulaIn(wrapper: Element): Element {
	const [math] = findAll(wrapper.children, "math");
	if (math === undefined) return { ...wrapper, children: wrapper.children.map(shown) };
	const isDisplay = isDisplayWrapper(wrapper) || findAll(wrapper.children, "span", "div").some(isDisplayWrapper);
	const display = isDisplay ? { display: "block" } : {};
	return { ...math, properties: { ...math.properties, ...display, dataDrawn: true } };
}

function isDisplayWrapper(element: Element): boolean {
	return attribute(element, "display") === "true" || classesOf(element).some((name) => displayClasses.has(name));
}

function shown(node: ElementContent): ElementContent {
	if (!isElement(node)) return node;
	const { ariaHidden: _, ...properties } = node.properties;
	return { ...node, properties, children: node.children.map(shown) };
}

function formulaOfSource(script: Element): Element {
	const type = attribute(script, "type") ?? "";
	const display = /mode\s*=\s*display/i.test(type) ? { display: "block" } : {};
	const annotation: Element = { type: "element", tagName: "annotation", properties: { encoding: "application/x-tex" }, children: script.children };
	return { type: "element", tagName: "math", properties: display, children: [annotation] };
}

/** Whether it is a display formula. */
export function isDisplayMath(element: Element): boolean {
	return element.tagName === "math" && attribute(element, "display") === "block";
}

/** Converts an HTML element to an XML element. */
export function xmlOfHtml({ tagName, properties, children }: Element): XmlElement {
	const attributes = Object.entries(properties).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(" ") : String(value)] as const);
	return {
		name: tagName,
		attributes: Object.fromEntries(attributes),
		children: children.flatMap((child): readonly XmlNode[] => {
			if (child.type === "text") return [child.value];
			return isElement(child) ? [xmlOfHtml(child)] : [];
		}),
	};
}
