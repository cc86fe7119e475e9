/** An Office file as a package: its parts as XML, and the relations between them. */

import { fail, ServiceError, type Warning } from "cairn-memory";
import { emptyTitles, type Properties } from "../blocks/properties.ts";
import { refuseOle } from "../cfb/refuse-ole.ts";
import { readXml, streamXml } from "../xml/read-xml.ts";
import { attributeOf, elementAt, elementsOf, textOf, type XmlElement } from "../xml/xml-element.ts";
import { openZip, type ZipArchive } from "../zip/zip-archive.ts";

export interface Relation {
	/** The last part of its type URI: `footnotes`, `slide`. */
	readonly type: string;
	/** The part's path, or an address outside. */
	readonly target: string;
	readonly isExternal: boolean;
}

export interface OfficePackage {
	readonly zip: ZipArchive;
	/** The root element of a part; null when the part is missing or damaged, with a warning. */
	readonly part: (path: string | null) => XmlElement | null;
	/** The same, but null when it was asked for before: a file may refer to a part any number of times. */
	readonly partOnce: (path: string | null) => XmlElement | null;
	/** The bytes of a part; null when it was asked for before. */
	readonly bytesOnce: (path: string) => Uint8Array | null;
	/** Visits the wanted elements of a part, one by one. @returns whether there is such a part. */
	readonly stream: (path: string, wanted: ReadonlySet<string>, visit: (element: XmlElement) => unknown, enter?: (element: XmlElement) => void) => boolean;
	/** Relations of a part by id, or of the package for "". */
	readonly relations: (path: string) => ReadonlyMap<string, Relation>;
	readonly warnings: Warning[];
}

/** @throws FILE_ENCRYPTED, FILE_BROKEN. */
export function openPackage(bytes: Uint8Array): OfficePackage {
	refuseOle(bytes);
	const zip = openZip(bytes);
	const warnings: Warning[] = [];
	const known = new Map<string, ReadonlyMap<string, Relation>>();
	const named = new Set<string>();
	const note = (path: string, what: string) => warnings.push({ code: "PART_DAMAGED", message: `the part ${path} ${what}` });
	const guarded = <Value>(path: string, read: (bytes: Uint8Array) => Value): Value | null => {
		try {
			const content = zip.read(path);
			if (content === null) return null;
			if (zip.cut.has(path)) note(path, "was cut off and read as far as it goes");
			return read(content);
		} catch (thrown) {
			if (!isDamage(thrown)) throw thrown;
			note(path, `was left out: ${thrown.words.join(" ")}`);
			return null;
		}
	};
	const office: OfficePackage = {
		zip,
		warnings,
		part: (path) => (path === null ? null : guarded(path, readXml)),
		partOnce(path) {
			if (path === null || named.has(path)) return null;
			named.add(path);
			return office.part(path);
		},
		bytesOnce(path) {
			if (named.has(path)) return null;
			named.add(path);
			return guarded(path, (content) => content);
		},
		stream: (path, wanted, visit, enter) =>
			guarded(path, (content) => {
				const { damage } = streamXml(content, wanted, visit, enter);
				if (damage !== null) note(path, `is not well-formed XML and was read as far as possible: ${damage}`);
				return true;
			}) ?? false,
		relations(path) {
			const found = known.get(path) ?? readRelations(office, path);
			known.set(path, found);
			return found;
		},
	};
	return office;
}

/** Damage of one part becomes a warning; a password, too much text and internal errors end the reading. */
function isDamage(thrown: unknown): thrown is ServiceError {
	return thrown instanceof ServiceError && thrown.code === "FILE_BROKEN";
}

/** The path of the main part. @throws FILE_BROKEN when it is missing. */
export function mainPart(office: OfficePackage, usual: string): string {
	const named = targetOf(office.relations(""), "officeDocument");
	const found = [named, usual].find((path) => path !== null && office.zip.has(path));
	if (found === undefined || found === null) throw fail("FILE_BROKEN", `it has no part ${usual}`);
	return found;
}

/** The target of the first relation of this type; null when there is none. */
export function targetOf(relations: ReadonlyMap<string, Relation>, type: string): string | null {
	for (const relation of relations.values()) if (relation.type === type && !relation.isExternal) return relation.target;
	return null;
}

function readRelations(office: OfficePackage, path: string): ReadonlyMap<string, Relation> {
	const slash = path.lastIndexOf("/") + 1;
	const folder = path.slice(0, slash);
	const root = office.part(`${folder}_rels/${path.slice(slash)}.rels`);
	const relations = elementsOf(root, "Relationship").map((element): [string, Relation] => {
		const target = attributeOf(element, "Target") ?? "";
		const isExternal = attributeOf(element, "TargetMode") === "External";
		const type = (attributeOf(element, "Type") ?? "").split("/").at(-1) ?? "";
		return [attributeOf(element, "Id") ?? "", { type, isExternal, target: isExternal ? target : resolvePath(folder, target) }];
	});
	return new Map(relations);
}

/** `../media/a.xml` seen from `ppt/slides/` → `ppt/media/a.xml`. Names within the archive, never paths on a disk. */
export function resolvePath(folder: string, target: string): string {
	const path: string[] = [];
	for (const step of (target.startsWith("/") ? target : folder + target).split("/")) {
		if (step === "..") path.pop();
		else if (step !== "" && step !== ".") path.push(step);
	}
	return path.join("/");
}

export function readProperties(office: OfficePackage): Properties {
	const core = office.part(targetOf(office.relations(""), "core-properties") ?? "docProps/core.xml");
	const say = (name: string) => textOf(elementAt(core, name)).trim() || null;
	const title = say("title");
	return { title: title === null || emptyTitles.test(title) ? null : title, description: say("description"), language: say("language") };
}
