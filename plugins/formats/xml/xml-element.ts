/** An XML element in memory, and functions to query it. Namespace prefixes are ignored, since programs choose them freely. */

export interface XmlElement {
	/** The local name, without a prefix. */
	readonly name: string;
	/** By their names with prefixes: `id` and `r:id` are different attributes. */
	readonly attributes: Readonly<Record<string, string>>;
	readonly children: readonly XmlNode[];
}

export type XmlNode = XmlElement | string;

export function isXmlElement(node: XmlNode): node is XmlElement {
	return typeof node !== "string";
}

/** The child elements, or only those with one of the names. */
export function elementsOf(element: XmlElement | null, ...names: readonly string[]): readonly XmlElement[] {
	if (element === null) return [];
	return element.children.filter((child): child is XmlElement => isXmlElement(child) && (names.length === 0 || names.includes(child.name)));
}

/** The first element that the path of names leads to; null if there is none. */
export function elementByPath(element: XmlElement | null, ...path: readonly string[]): XmlElement | null {
	let found = element;
	for (const name of path) found = found?.children.find((child): child is XmlElement => isXmlElement(child) && child.name === name) ?? null;
	return found;
}

/** The attribute of this local name, with any prefix or none. */
export function attributeOf(element: XmlElement | null, name: string): string | null {
	if (element === null) return null;
	const unprefixed = element.attributes[name];
	return unprefixed ?? prefixedAttribute(element, name);
}

/** The attribute with a prefix, such as `r:id` and not `id`. */
export function prefixedAttribute(element: XmlElement, name: string): string | null {
	for (const key in element.attributes) if (key.endsWith(`:${name}`)) return element.attributes[key] ?? null;
	return null;
}

/** The value of `<name val="…"/>`, the form in which Office writes most settings. */
export function valueByPath(element: XmlElement | null, ...path: readonly string[]): string | null {
	return attributeOf(elementByPath(element, ...path), "val");
}

/** The descendants with one of these names, in document order, except those inside another such descendant. */
export function* topmostDescendants(element: XmlElement, ...names: readonly string[]): Generator<XmlElement> {
	for (const child of element.children) {
		if (!isXmlElement(child)) continue;
		if (names.includes(child.name)) yield child;
		else yield* topmostDescendants(child, ...names);
	}
}

/** All text in the element and its descendants. */
export function textOf(element: XmlElement | null): string {
	if (element === null) return "";
	return element.children.map((child) => (isXmlElement(child) ? textOf(child) : child)).join("");
}

/** The integer value of an attribute, or the fallback if it is missing or not an integer. */
export function numberOf(element: XmlElement | null, name: string, fallback: number): number {
	const raw = attributeOf(element, name);
	const number = raw === null || raw.trim() === "" ? Number.NaN : Number(raw);
	return Number.isInteger(number) ? number : fallback;
}
