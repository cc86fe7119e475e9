/** XML elements → data: attributes and children as fields, siblings of one name as a list. */

import type { DataValue } from "../data/data-value.ts";
import { isXmlElement, textOf, type XmlElement } from "../xml/xml-element.ts";

/** Technical attributes: namespaces, schemas, white-space handling. */
const silentAttribute = /^(?:xmlns(?::.*)?|xml:space|xsi:.*)$/;

export function dataOfXml(element: XmlElement): DataValue {
	const entries: [string, DataValue][] = [];
	for (const [name, value] of Object.entries(element.attributes)) if (!silentAttribute.test(name)) entries.push([name, value.trim()]);
	if (isTextual(element)) {
		const text = textOf(element)
			.replace(/[^\S\n]+/g, " ")
			.trim();
		return entries.length === 0 ? text : { kind: "record", entries: [...entries, ["", text]] };
	}
	// Adjacent siblings of one name become a list; others keep their place.
	let run: { readonly name: string; readonly values: DataValue[] } | null = null;
	const close = () => {
		const [only] = run?.values ?? [];
		if (run !== null && only !== undefined) entries.push([run.name, run.values.length === 1 ? only : { kind: "list", items: run.values }]);
		run = null;
	};
	for (const child of element.children.filter(isXmlElement)) {
		if (run !== null && (run as { name: string }).name !== child.name) close();
		run ??= { name: child.name, values: [] };
		run.values.push(dataOfXml(child));
	}
	close();
	return { kind: "record", entries };
}

/** Whether the element has text, possibly mixed with elements: then it is one text. */
export function isTextual({ children }: XmlElement): boolean {
	return children.length === 0 || !children.some(isXmlElement) || children.some((child) => !isXmlElement(child) && child.trim() !== "");
}
