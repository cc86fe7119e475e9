/** Finds formulas of web pages. KaTeX, MathJax and wikis write each formula several times, rendered and as MathML or LaTeX; one `math` element is kept. */

import type { Element, ElementContent } from "hast";
import type { XmlElement, XmlNode } from "../xml/xml-element.ts";
import { attribute, findAll, isElement, type Node } from "./html-markup.ts";

/** Elements and classes that wrap all representations of a formula. */
const wrapperTags: ReadonlySet<string> = new Set(["mjx-container", "mjx-assistive-mml"]);
const wrapperClasses: ReadonlySet<string> = new Set(["katex", "katex-display", "mwe-math-element", "MathJax", "MathJax_Display", "MJXc-display", "mjx-chtml"]);
const displayClasses: ReadonlySet<string> = new Set(["katex-display", "MathJax_Display", "MJXc-display"]);

/** Classes of MathJax's rendered output, which comes before the source. */
const renderedClass = /^(?:MathJax|MJX|mjx-)/;

export function unifyFormulas(nodes: readonly Node[]): readonly Node[] {
	return hasFormulas(nodes) ? unifyIn(nodes) : nodes;
}

/** Whether there is a formula. This is checked before anything is copied, since most pages have none. */
function hasFormulas(nodes: readonly Node[]): boolean {
	return nodes.some((node) => isElement(node) && (node.tagName === "math" || isTexScript(node) || isWrapper(node) || hasFormulas(node.children)));
}

function unifyIn(nodes: readonly Node[]): Node[] {
	const result: Node[] = [];
	for (const node of nodes) {
		if (!isElement(node)) result.push(node);
		else if (isTexScript(node)) {
			while (result.length > 0 && isRendered(result.at(-1))) result.pop();
			result.push(formulaOfScript(node));
		} else if (isWrapper(node)) result.push(formulaIn(node));
		else if (node.tagName === "math") result.push(node);
		else result.push({ ...node, children: unifyIn(node.children) as ElementContent[] });
	}
	return result;
}

function classesOf(element: Element): readonly string[] {
	return (attribute(element, "className") ?? "").split(" ");
}

function isWrapper(element: Element): boolean {
	return wrapperTags.has(element.tagName) || classesOf(element).some((name) => wrapperClasses.has(name));
}

function isTexScript(element: Element): boolean {
	return element.tagName === "script" && /^math\/tex\b/i.test(attribute(element, "type") ?? "");
}

/** Whether a node is the rendered output of a formula, or a preview of it. */
function isRendered(node: Node | undefined): boolean {
	return isElement(node) && (classesOf(node).some((name) => renderedClass.test(name)) || (node.tagName === "math" && node.properties["dataDrawn"] === true));
}

/** The `math` element in a wrapper. Without MathML the rendered text is kept, although it is `aria-hidden`. */
function formulaIn(wrapper: Element): Element {
	const [math] = findAll(wrapper.children, "math");
	if (math === undefined) return { ...wrapper, children: wrapper.children.map(withoutAriaHidden) };
	const isDisplay = isDisplayWrapper(wrapper) || findAll(wrapper.children, "span", "div").some(isDisplayWrapper);
	const display = isDisplay ? { display: "block" } : {};
	return { ...math, properties: { ...math.properties, ...display, dataDrawn: true } };
}

function isDisplayWrapper(element: Element): boolean {
	return attribute(element, "display") === "true" || classesOf(element).some((name) => displayClasses.has(name));
}

function withoutAriaHidden(node: ElementContent): ElementContent {
	if (!isElement(node)) return node;
	const { ariaHidden: _, ...properties } = node.properties;
	return { ...node, properties, children: node.children.map(withoutAriaHidden) };
}

function formulaOfScript(script: Element): Element {
	const type = attribute(script, "type") ?? "";
	const display = /mode\s*=\s*display/i.test(type) ? { display: "block" } : {};
	const annotation: Element = { type: "element", tagName: "annotation", properties: { encoding: "application/x-tex" }, children: script.children };
	return { type: "element", tagName: "math", properties: display, children: [annotation] };
}

/** Whether an element is a display formula. */
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
