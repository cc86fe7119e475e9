/** Opens an Office file as a package (OPC): its parts as XML, and the relationships between them. */

import { fail, ServiceError, type Warning } from "cairn-memory";
import { emptyTitles, type Properties } from "../blocks/properties.ts";
import { refuseOle } from "../cfb/refuse-ole.ts";
import { readXml, streamXml } from "../xml/read-xml.ts";
import { attributeOf, elementByPath, elementsOf, textOf, type XmlElement } from "../xml/xml-element.ts";
import { resolvePath } from "../zip/resolve-path.ts";
import { openZip, type ZipArchive } from "../zip/zip-archive.ts";

export interface Relationship {
	/** The last part of its type URI: `footnotes`, `slide`. */
	readonly type: string;
	/** The path of a part, or an external URL. */
	readonly target: string;
	readonly isExternal: boolean;
}

export interface OfficePackage {
	readonly zip: ZipArchive;
	/** The root element of a part; null when the part is missing or damaged, with a warning. */
	readonly part: (path: string | null) => XmlElement | null;
	/** The same, but null from the second call on: a file may refer to the same part any number of times. */
	readonly partOnce: (path: string | null) => XmlElement | null;
	/** The bytes of a part; null from the second call on. */
	readonly bytesOnce: (path: string) => Uint8Array | null;
	/** Visits the elements of the wanted names in a part, one by one. @returns whether there is such a part. */
	readonly stream: (path: string, wanted: ReadonlySet<string>, visit: (element: XmlElement) => unknown, enter?: (element: XmlElement) => void) => boolean;
	/** Relationships of a part by id. The empty path stands for the package itself. */
	readonly relationships: (path: string) => ReadonlyMap<string, Relationship>;
	readonly warnings: Warning[];
}

/** @throws FILE_ENCRYPTED, FILE_BROKEN. */
export function openPackage(bytes: Uint8Array): OfficePackage {
	refuseOle(bytes);
	const zip = openZip(bytes);
	const warnings: Warning[] = [];
	const relationshipsByPart = new Map<string, ReadonlyMap<string, Relationship>>();
	const openedOnce = new Set<string>();
	const warnAbout = (path: string, what: string) => warnings.push({ code: "PART_DAMAGED", message: `the part ${path} ${what}` });
	const readPart = <Value>(path: string, read: (bytes: Uint8Array) => Value): Value | null => {
		try {
			const content = zip.read(path);
			if (content === null) return null;
			if (zip.truncated.has(path)) warnAbout(path, "was cut off and read as far as it goes");
			return read(content);
		} catch (thrown) {
			if (!isDamage(thrown)) throw thrown;
			warnAbout(path, `was left out: ${thrown.args.join(" ")}`);
			return null;
		}
	};
	const pkg: OfficePackage = {
		zip,
		warnings,
		part: (path) => (path === null ? null : readPart(path, readXml)),
		partOnce(path) {
			if (path === null || openedOnce.has(path)) return null;
			openedOnce.add(path);
			return pkg.part(path);
		},
		bytesOnce(path) {
			if (openedOnce.has(path)) return null;
			openedOnce.add(path);
			return readPart(path, (content) => content);
		},
		stream: (path, wanted, visit, enter) =>
			readPart(path, (content) => {
				const { damage } = streamXml(content, wanted, visit, enter);
				if (damage !== null) warnAbout(path, `is not well-formed XML and was read as far as possible: ${damage}`);
				return true;
			}) ?? false,
		relationships(path) {
			const relationships = relationshipsByPart.get(path) ?? readRelations(pkg, path);
			relationshipsByPart.set(path, relationships);
			return relationships;
		},
	};
	return pkg;
}

/** Whether one part is damaged, which becomes a warning. A password, too much text and internal errors end the extraction. */
function isDamage(thrown: unknown): thrown is ServiceError {
	return thrown instanceof ServiceError && thrown.code === "FILE_BROKEN";
}

/** The path of the main part. @throws FILE_BROKEN when it is missing. */
export function mainPart(pkg: OfficePackage, defaultPath: string): string {
	const declared = targetOf(pkg.relationships(""), "officeDocument");
	const found = [declared, defaultPath].find((path) => path !== null && pkg.zip.has(path));
	if (found === undefined || found === null) throw fail("FILE_BROKEN", `it has no part ${defaultPath}`);
	return found;
}

/** The target of the first internal relationship of this type; null if there is none. */
export function targetOf(relationships: ReadonlyMap<string, Relationship>, type: string): string | null {
	for (const relationship of relationships.values()) if (relationship.type === type && !relationship.isExternal) return relationship.target;
	return null;
}

function readRelations(pkg: OfficePackage, path: string): ReadonlyMap<string, Relationship> {
	const slash = path.lastIndexOf("/") + 1;
	const folder = path.slice(0, slash);
	const root = pkg.part(`${folder}_rels/${path.slice(slash)}.rels`);
	const relationships = elementsOf(root, "Relationship").map((element): [string, Relationship] => {
		const target = attributeOf(element, "Target") ?? "";
		const isExternal = attributeOf(element, "TargetMode") === "External";
		const type = (attributeOf(element, "Type") ?? "").split("/").at(-1) ?? "";
		return [attributeOf(element, "Id") ?? "", { type, isExternal, target: isExternal ? target : resolvePath(folder, target) }];
	});
	return new Map(relationships);
}

export function readProperties(pkg: OfficePackage): Properties {
	const core = pkg.part(targetOf(pkg.relationships(""), "core-properties") ?? "docProps/core.xml");
	const property = (name: string) => textOf(elementByPath(core, name)).trim() || null;
	const title = property("title");
	return { title: title === null || emptyTitles.test(title) ? null : title, description: property("description"), language: property("language") };
}
