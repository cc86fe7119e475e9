/** Reads the package document of an EPUB: metadata, chapters in reading order, and their names in the table of contents. */

import { fail, ServiceError, type Warning } from "cairn-memory";
import { readXml } from "../xml/read-xml.ts";
import { attributeOf, elementByPath, elementsOf, textOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";
import { resolvePath } from "../zip/resolve-path.ts";
import type { ZipArchive } from "../zip/zip-archive.ts";

export interface Book {
	readonly title: string | null;
	readonly description: string | null;
	readonly language: string | null;
	/** Paths of the chapters in the archive, without duplicates. */
	readonly chapters: readonly string[];
	/** The name of each chapter by its path: its first entry in the table of contents. */
	readonly names: ReadonlyMap<string, string>;
}

/** @throws FILE_BROKEN if there is no list of chapters, FILE_ENCRYPTED if chapters are encrypted. */
export function readBook(zip: ZipArchive, warnings: Warning[]): Book {
	const readPart = (path: string | null) => (path === null ? null : partOf(zip, path, warnings));
	refuseEncrypted(readPart("META-INF/encryption.xml"));
	const container = readPart("META-INF/container.xml");
	const declaredPath = container === null ? null : attributeOf([...topmostDescendants(container, "rootfile")][0] ?? null, "full-path");
	const path = declaredPath ?? zip.names.find((name) => name.toLowerCase().endsWith(".opf")) ?? null;
	const root = readPart(path);
	if (path === null || root === null) throw fail("FILE_BROKEN", "it does not list its chapters");

	const folder = path.slice(0, path.lastIndexOf("/") + 1);
	const items = new Map(elementsOf(elementByPath(root, "manifest"), "item").map((item) => [attributeOf(item, "id") ?? "", item]));
	const pathOf = (item: XmlElement | undefined) => pathFrom(folder, attributeOf(item ?? null, "href") ?? "");
	const spine = elementByPath(root, "spine");
	const chapters = elementsOf(spine, "itemref").flatMap((reference) => {
		const item = items.get(attributeOf(reference, "idref") ?? "");
		return item === undefined || !isPage(item) || isContents(item) ? [] : [pathOf(item)];
	});
	const contents = [...items.values()].find(isContents) ?? items.get(attributeOf(spine, "toc") ?? "");
	const metadata = elementByPath(root, "metadata");
	const metadataText = (name: string) => textOf(elementByPath(metadata, name)).trim() || null;
	return {
		title: metadataText("title"),
		description: metadataText("description"),
		language: metadataText("language"),
		chapters: [...new Set(chapters)],
		names: contents === undefined ? new Map() : namesIn(readPart(pathOf(contents)), pathOf(contents)),
	};
}

/** The root element of a part; null if it is missing or damaged. Damage adds a warning. */
export function partOf(zip: ZipArchive, path: string, warnings: Warning[]): XmlElement | null {
	const bytes = bytesOf(zip, path, warnings);
	return bytes === null ? null : readXml(bytes);
}

export function bytesOf(zip: ZipArchive, path: string, warnings: Warning[]): Uint8Array | null {
	try {
		const bytes = zip.read(path);
		if (zip.truncated.has(path)) warnings.push({ code: "PART_DAMAGED", message: `the part ${path} is truncated and was read as far as possible` });
		return bytes;
	} catch (thrown) {
		if (!(thrown instanceof ServiceError) || thrown.code !== "FILE_BROKEN") throw thrown;
		warnings.push({ code: "PART_DAMAGED", message: `the part ${path} was left out: ${thrown.args.join(" ")}` });
		return null;
	}
}

/** Throws if chapters are encrypted. Obfuscated fonts, which are declared in the same way, do not matter. */
function refuseEncrypted(encryption: XmlElement | null): void {
	if (encryption === null) return;
	for (const reference of topmostDescendants(encryption, "CipherReference"))
		if (/\.x?html?$/i.test(attributeOf(reference, "URI") ?? "")) throw fail("FILE_ENCRYPTED");
}

function isPage(item: XmlElement): boolean {
	return /html|xml/i.test(attributeOf(item, "media-type") ?? "html");
}

/** Whether it is the page with the table of contents. It is left out, since its lines are the headings of the chapters. */
function isContents(item: XmlElement): boolean {
	return (attributeOf(item, "properties") ?? "").split(/\s+/).includes("nav");
}

/** The chapter names in the table of contents, of EPUB 3 (`nav`) or EPUB 2 (`navMap`). */
function namesIn(root: XmlElement | null, path: string): ReadonlyMap<string, string> {
	const names = new Map<string, string>();
	if (root === null) return names;
	const folder = path.slice(0, path.lastIndexOf("/") + 1);
	const addName = (href: string | null, text: string) => {
		const chapter = pathFrom(folder, href ?? "");
		const name = text.replace(/\s+/g, " ").trim();
		if (name !== "" && !names.has(chapter)) names.set(chapter, name);
	};
	const visit = (element: XmlElement): void => {
		if (element.name === "navPoint") addName(attributeOf(elementByPath(element, "content"), "src"), textOf(elementByPath(element, "navLabel")));
		if (element.name === "a") addName(attributeOf(element, "href"), textOf(element));
		for (const child of elementsOf(element)) visit(child);
	};
	for (const list of topmostDescendants(root, "navMap", "nav")) if (list.name === "navMap" || attributeOf(list, "type") === "toc") visit(list);
	return names;
}

/** Resolves `../text/one%20two.xhtml#start` to a path in the archive. */
function pathFrom(folder: string, href: string): string {
	const [withoutFragment = ""] = href.split("#");
	return resolvePath("", `${folder}${decodeUri(withoutFragment)}`);
}

function decodeUri(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
