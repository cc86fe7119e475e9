/** Opens flat OpenDocument, which is one XML file (FODT, FODS, FODP, FODG), as if it were a package with its usual parts. */

import type { Warning } from "cairn-memory";
import type { OfficePackage } from "../ooxml/package.ts";
import { readXml, streamXml } from "../xml/read-xml.ts";
import type { XmlElement } from "../xml/xml-element.ts";

const root = /<office:document\s[^>]*\boffice:mimetype\s*=\s*["']([\w./-]+)["']/;
/** The root element begins within so many bytes, as far as its type. */
const headBytes = 8_192;
/** The elements before the body: a package has them in parts of their own. */
const sharedElements: ReadonlySet<string> = new Set(["meta", "styles", "automatic-styles", "master-styles"]);

/** The media type that a flat document names; null if this is none. @param start the beginning of the file */
export function flatTypeOf(start: string): string | null {
	return root.exec(start)?.[1] ?? null;
}

/** Null if the bytes are not flat OpenDocument. */
export function openFlatPackage(bytes: Uint8Array): OfficePackage | null {
	const type = flatTypeOf(new TextDecoder("latin1").decode(bytes.subarray(0, headBytes)));
	if (type === null) return null;
	const warnings: Warning[] = [];
	const noteDamage = (damage: string | null) => {
		if (damage !== null && warnings.length === 0)
			warnings.push({ code: "PART_DAMAGED", message: `it is not well-formed XML and was read as far as possible: ${damage}`.slice(0, 300) });
	};
	const shared = (): XmlElement => {
		const children: XmlElement[] = [];
		noteDamage(streamXml(bytes, sharedElements, (element) => void children.push(element)).damage);
		return { name: "document", attributes: {}, children };
	};
	const parts: Readonly<Record<string, () => XmlElement | null>> = { "content.xml": () => readXml(bytes), "styles.xml": shared, "meta.xml": shared };
	const part = (path: string | null) => parts[path ?? ""]?.() ?? null;
	return {
		zip: {
			names: Object.keys(parts),
			has: (name) => name in parts,
			read: (name) => (name === "mimetype" ? new TextEncoder().encode(type) : null),
			truncated: new Set(),
		},
		part,
		partOnce: () => null, // what is embedded stands in place
		bytesOnce: () => null,
		stream(path, wanted, visit, enter) {
			if (path !== "content.xml") return false;
			noteDamage(streamXml(bytes, wanted, visit, enter).damage);
			return true;
		},
		relationships: () => new Map(),
		warnings,
	};
}
