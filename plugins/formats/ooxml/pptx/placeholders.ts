/** Bullets and numbering that placeholders inherit: from the slide's layout, then its master, then the master's text styles. */

import { attributeOf, elementAt, elementsOf, outermost, type XmlElement } from "../../xml/xml-element.ts";
import { type OfficePackage, targetOf } from "../package.ts";

export interface Placeholders {
	/** The text styles of a placeholder, the most specific first. */
	readonly stylesOf: (placeholder: XmlElement | null) => readonly XmlElement[];
	/** The slide's layout and master. */
	readonly grounds: readonly (XmlElement | null)[];
}

/** Placeholder types that hold the body text. */
const bodyTypes = new Set(["body", "obj", "subTitle"]);

/** @param known a cache of what other slides have read, by the path of the layout. */
export function readPlaceholders(office: OfficePackage, slide: string, known: Map<string, Placeholders>): Placeholders {
	const path = targetOf(office.relations(slide), "slideLayout");
	const found = known.get(path ?? "");
	if (found !== undefined) return found;
	const masterPath = path === null ? null : targetOf(office.relations(path), "slideMaster");
	const master = office.part(masterPath);
	const layout = office.part(path);
	const layers = [placeholdersIn(layout), placeholdersIn(master)];
	const bodyStyle = elementAt(master, "txStyles", "bodyStyle");
	const placeholders: Placeholders = {
		grounds: [layout, master],
		stylesOf(placeholder) {
			if (placeholder === null) return [];
			const type = attributeOf(placeholder, "type") ?? "obj";
			const isBody = bodyTypes.has(type);
			const inherited = layers.map((shapes) => findShape(shapes, placeholder, isBody)).map((shape) => elementAt(shape, "txBody", "lstStyle"));
			return [...inherited, isBody ? bodyStyle : null].filter((style) => style !== null);
		},
	};
	known.set(path ?? "", placeholders);
	return placeholders;
}

function placeholdersIn(root: XmlElement | null): readonly XmlElement[] {
	return root === null ? [] : [...outermost(root, "sp")].filter((shape) => placeholderOf(shape) !== null);
}

export function placeholderOf(shape: XmlElement): XmlElement | null {
	const [properties] = elementsOf(shape).filter(({ name }) => name.startsWith("nv"));
	return elementAt(properties ?? null, "nvPr", "ph");
}

/** The placeholder with the same index, else the first of the same type. */
function findShape(shapes: readonly XmlElement[], placeholder: XmlElement, isBody: boolean): XmlElement | null {
	const type = attributeOf(placeholder, "type") ?? "obj";
	const index = attributeOf(placeholder, "idx");
	const numbered = shapes.find((shape) => index !== null && attributeOf(placeholderOf(shape), "idx") === index);
	const alike = shapes.find((shape) => {
		const other = attributeOf(placeholderOf(shape), "type") ?? "obj";
		return other === type || (isBody && bodyTypes.has(other));
	});
	return numbered ?? alike ?? null;
}
