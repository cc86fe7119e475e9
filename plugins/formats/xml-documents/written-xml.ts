/** Converts the content of an element to HTML. Escaped HTML is unescaped, and XHTML elements are serialised again. */

import { isXmlElement, type XmlElement } from "../xml/xml-element.ts";

export function htmlOfContent(element: XmlElement): string {
	const hasElements = element.children.some(isXmlElement);
	return element.children.map((child) => (isXmlElement(child) ? serialize(child) : hasElements ? escapeXml(child) : child)).join("");
}

function serialize(element: XmlElement): string {
	const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${escapeXml(value).replaceAll('"', "&quot;")}"`);
	const content = element.children.map((child) => (isXmlElement(child) ? serialize(child) : escapeXml(child))).join("");
	return `<${element.name}${attributes.join("")}>${content}</${element.name}>`;
}

function escapeXml(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
