/** The content of an element as HTML: escaped HTML is unescaped, XHTML elements are serialised again. */

import { isXmlElement, type XmlElement } from "../xml/xml-element.ts";

export function writtenXml(element: XmlElement): string {
	const hasElements = element.children.some(isXmlElement);
	return element.children.map((child) => (isXmlElement(child) ? written(child) : hasElements ? escaped(child) : child)).join("");
}

function written(element: XmlElement): string {
	const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${escaped(value).replaceAll('"', "&quot;")}"`);
	const inside = element.children.map((child) => (isXmlElement(child) ? written(child) : escaped(child))).join("");
	return `<${element.name}${attributes.join("")}>${inside}</${element.name}>`;
}

function escaped(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
