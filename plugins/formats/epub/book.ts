/** The package document of an EPUB: metadata, chapters in reading order, and their names in the table of contents. */

import { fail, ServiceError, type Warning } from "cairn-memory";
import { readXml } from "../xml/read-xml.ts";
import { attributeOf, elementByPath, elementsOf, textOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";
import type { ZipArchive } from "../zip/zip-archive.ts";

export interface Book {
	readonly title: string | null;
	readonly description: string | null;
	readonly language: string | null;
	/** Paths of the chapters in the archive, each once. */
	readonly chapters: readonly string[];
	/** The first entry of the table of contents for each chapter. */
	readonly names: ReadonlyMap<string, string>;
}

/** @throws FILE_BROKEN when there is no list of chapters, FILE_ENCRYPTED when they are encrypted. */
export function readBook(zip: ZipArchive, warnings: Warning[]): Book {
	const part = (path: string | null) => (path === null ? null : partOf(zip, path, warnings));
	refuseLocked(part("META-INF/encryption.xml"));
	const container = part("META-INF/container.xml");
	const named = container === null ? null : attributeOf([...topmostDescendants(container, "rootfile")][0] ?? null, "full-path");
	const path = named ?? zip.names.find((name) => name.toLowerCase().endsWith(".opf")) ?? null;
	const root = part(path);
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
	const say = (name: string) => textOf(elementByPath(metadata, name)).trim() || null;
	return {
		title: say("title"),
		description: say("description"),
		language: say("language"),
		chapters: [...new Set(chapters)],
		names: contents === undefined ? new Map() : namesIn(part(pathOf(contents)), pathOf(contents)),
	};
}

/** Null for a damaged part, with a warning. */
export function partOf(zip: ZipArchive, path: string, warnings: Warning[]): XmlElement | null {
	const bytes = bytesOf(zip, path, warnings);
	return bytes === null ? null : readXml(bytes);
}

export function bytesOf(zip: ZipArchive, path: string, warnings: Warning[]): Uint8Array | null {
	try {
		const bytes = zip.read(path);
		if (zip.truncated.has(path)) warnings.push({ code: "PART_DAMAGED", message: `the part ${path} was cut off and read as far as it goes` });
		return bytes;
	} catch (thrown) {
		if (!(thrown instanceof ServiceError) || thrown.code !== "FILE_BROKEN") throw thrown;
		warnings.push({ code: "PART_DAMAGED", message: `the part ${path} was left out: ${thrown.words.join(" ")}` });
		return null;
	}
}

/** Refuses encrypted chapters; obfuscated fonts are harmless. */
function refuseLocked(encryption: XmlElement | null): void {
	if (encryption === null) return;
	for (const reference of topmostDescendants(encryption, "CipherReference"))
		if (/\.x?html?$/i.test(attributeOf(reference, "URI") ?? "")) throw fail("FILE_ENCRYPTED");
}

function isPage(item: XmlElement): boolean {
	return /html|xml/i.test(attributeOf(item, "media-type") ?? "html");
}

/** The page with the table of contents is left out: its lines are the headings of the chapters. */
function isContents(item: XmlElement): boolean {
	return (attributeOf(item, "properties") ?? "").split(/\s+/).includes("nav");
}

/** The tables of contents of EPUB 3 (`nav`) and EPUB 2 (`navMap`). */
function namesIn(root: XmlElement | null, path: string): ReadonlyMap<string, string> {
	const names = new Map<string, string>();
	if (root === null) return names;
	const folder = path.slice(0, path.lastIndexOf("/") + 1);
	const note = (href: string | null, text: string) => {
		const chapter = pathFrom(folder, href ?? "");
		const name = text.replace(/\s+/g, " ").trim();
		if (name !== "" && !names.has(chapter)) names.set(chapter, name);
	};
	const visit = (element: XmlElement): void => {
		if (element.name === "navPoint") note(attributeOf(elementByPath(element, "content"), "src"), textOf(elementByPath(element, "navLabel")));
		if (element.name === "a") note(attributeOf(element, "href"), textOf(element));
		for (const child of elementsOf(element)) visit(child);
	};
	for (const list of topmostDescendants(root, "navMap", "nav")) if (list.name === "navMap" || attributeOf(list, "type") === "toc") visit(list);
	return names;
}

/** Resolves `../text/one%20two.xhtml#start` to a path in the archive. */
function pathFrom(folder: string, href: string): string {
	const [plain = ""] = href.split("#");
	const path: string[] = [];
	for (const step of `${folder}${decoded(plain)}`.split("/")) {
		if (step === "..") path.pop();
		else if (step !== "" && step !== ".") path.push(step);
	}
	return path.join("/");
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
