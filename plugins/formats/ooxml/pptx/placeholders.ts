/** Bullets and numbering that placeholders inherit: from the slide's layout, then its master, then the master's text styles. */

import { attributeOf, elementByPath, elementsOf, topmostDescendants, type XmlElement } from "../../xml/xml-element.ts";
import { type OfficePackage, targetOf } from "../package.ts";

export interface Placeholders {
	/** The text styles of a placeholder, the most specific first. */
	readonly stylesOf: (placeholder: XmlElement | null) => readonly XmlElement[];
	/** The root elements of the slide's layout and master; null if one is missing. */
	readonly layoutAndMaster: readonly (XmlElement | null)[];
}

/** Placeholder types that hold the body text. */
const bodyTypes = new Set(["body", "obj", "subTitle"]);

/** @param cache the placeholders already read for other slides, by the path of their layout. */
export function readPlaceholders(office: OfficePackage, slide: string, cache: Map<string, Placeholders>): Placeholders {
	const path = targetOf(office.relations(slide), "slideLayout");
	const cached = cache.get(path ?? "");
	if (cached !== undefined) return cached;
	const masterPath = path === null ? null : targetOf(office.relations(path), "slideMaster");
	const master = office.part(masterPath);
	const layout = office.part(path);
	const layers = [placeholdersIn(layout), placeholdersIn(master)];
	const bodyStyle = elementByPath(master, "txStyles", "bodyStyle");
	const placeholders: Placeholders = {
		layoutAndMaster: [layout, master],
		stylesOf(placeholder) {
			if (placeholder === null) return [];
			const type = attributeOf(placeholder, "type") ?? "obj";
			const isBody = bodyTypes.has(type);
			const inherited = layers.map((shapes) => findShape(shapes, placeholder, isBody)).map((shape) => elementByPath(shape, "txBody", "lstStyle"));
			return [...inherited, isBody ? bodyStyle : null].filter((style) => style !== null);
		},
	};
	cache.set(path ?? "", placeholders);
	return placeholders;
}

function placeholdersIn(root: XmlElement | null): readonly XmlElement[] {
	return root === null ? [] : [...topmostDescendants(root, "sp")].filter((shape) => placeholderOf(shape) !== null);
}

export function placeholderOf(shape: XmlElement): XmlElement | null {
	const [properties] = elementsOf(shape).filter(({ name }) => name.startsWith("nv"));
	return elementByPath(properties ?? null, "nvPr", "ph");
}

/** The placeholder with the same index, otherwise the first one of the same type. */
function findShape(shapes: readonly XmlElement[], placeholder: XmlElement, isBody: boolean): XmlElement | null {
	const type = attributeOf(placeholder, "type") ?? "obj";
	const index = attributeOf(placeholder, "idx");
	const sameIndex = shapes.find((shape) => index !== null && attributeOf(placeholderOf(shape), "idx") === index);
	const sameType = shapes.find((shape) => {
		const other = attributeOf(placeholderOf(shape), "type") ?? "obj";
		return other === type || (isBody && bodyTypes.has(other));
	});
	return sameIndex ?? sameType ?? null;
}
