/** Converts XML elements to data: attributes and children as fields, adjacent siblings of one name as a list. */

import type { DataValue } from "../data/data-value.ts";
import { isXmlElement, textOf, type XmlElement } from "../xml/xml-element.ts";

/** Technical attributes, which are left out: namespaces, schemas, white-space handling. */
const technicalAttribute = /^(?:xmlns(?::.*)?|xml:space|xsi:.*)$/;

export function dataOfXml(element: XmlElement): DataValue {
	const entries: [string, DataValue][] = [];
	for (const [name, value] of Object.entries(element.attributes)) if (!technicalAttribute.test(name)) entries.push([name, value.trim()]);
	if (isTextual(element)) {
		const text = textOf(element)
			.replace(/[^\S\n]+/g, " ")
			.trim();
		return entries.length === 0 ? text : { kind: "record", entries: [...entries, ["", text]] };
	}
	// Adjacent siblings of one name become a list.
	let run: { readonly name: string; readonly values: DataValue[] } | null = null;
	const endRun = () => {
		const [single] = run?.values ?? [];
		if (run !== null && single !== undefined) entries.push([run.name, run.values.length === 1 ? single : { kind: "list", items: run.values }]);
		run = null;
	};
	for (const child of element.children.filter(isXmlElement)) {
		if (run !== null && (run as { name: string }).name !== child.name) endRun();
		run ??= { name: child.name, values: [] };
		run.values.push(dataOfXml(child));
	}
	endRun();
	return { kind: "record", entries };
}

/** Whether the element is a text: it has no child elements, or text mixed with elements. */
export function isTextual({ children }: XmlElement): boolean {
	return children.length === 0 || !children.some(isXmlElement) || children.some((child) => !isXmlElement(child) && child.trim() !== "");
}
