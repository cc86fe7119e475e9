/** An XML element in memory, and functions to query it. Namespace prefixes are ignored, since programs choose them freely. */

export interface XmlElement {
	/** Without its prefix. */
	readonly name: string;
	/** With their prefixes: `id` and `r:id` are different attributes. */
	readonly attributes: Readonly<Record<string, string>>;
	readonly children: readonly XmlNode[];
}

export type XmlNode = XmlElement | string;

export function isXmlElement(node: XmlNode): node is XmlElement {
	return typeof node !== "string";
}

/** The child elements; with names, only those. */
export function elementsOf(element: XmlElement | null, ...names: readonly string[]): readonly XmlElement[] {
	if (element === null) return [];
	return element.children.filter((child): child is XmlElement => isXmlElement(child) && (names.length === 0 || names.includes(child.name)));
}

/** The first element down a path of names. */
export function elementAt(element: XmlElement | null, ...path: readonly string[]): XmlElement | null {
	let found = element;
	for (const name of path) found = found?.children.find((child): child is XmlElement => isXmlElement(child) && child.name === name) ?? null;
	return found;
}

/** The attribute of this local name, with any prefix or none. */
export function attributeOf(element: XmlElement | null, name: string): string | null {
	if (element === null) return null;
	const plain = element.attributes[name];
	return plain ?? prefixedAttribute(element, name);
}

/** The attribute with a prefix, such as `r:id` and not `id`. */
export function prefixedAttribute(element: XmlElement, name: string): string | null {
	for (const key in element.attributes) if (key.endsWith(`:${name}`)) return element.attributes[key] ?? null;
	return null;
}

/** The value of `<name val="…"/>`, as Office writes most of its settings. */
export function valueAt(element: XmlElement | null, ...path: readonly string[]): string | null {
	return attributeOf(elementAt(element, ...path), "val");
}

/** The outermost elements of these names, in document order, without those nested in them. */
export function* outermost(element: XmlElement, ...names: readonly string[]): Generator<XmlElement> {
	for (const child of element.children) {
		if (!isXmlElement(child)) continue;
		if (names.includes(child.name)) yield child;
		else yield* outermost(child, ...names);
	}
}

/** All text inside. */
export function textOf(element: XmlElement | null): string {
	if (element === null) return "";
	return element.children.map((child) => (isXmlElement(child) ? textOf(child) : child)).join("");
}

/** The integer value of an attribute, or the default. */
export function numberOf(element: XmlElement | null, name: string, otherwise: number): number {
	const written = attributeOf(element, name);
	const number = written === null || written.trim() === "" ? Number.NaN : Number(written);
	return Number.isInteger(number) ? number : otherwise;
}
