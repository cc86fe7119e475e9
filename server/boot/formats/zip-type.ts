/** What is inside a ZIP: a document that is packed so, or files and nothing more. */

import { type MediaType, parseMediaType } from "../../../core/model/media-type.ts";
import type { FileSign } from "../../../core/plugin/contract.ts";
import { isZipped, programMarks, zipMarks, zippedTypes } from "./known-formats.ts";
import { holdsAll, type Signs } from "./signs.ts";
import { type ZipDirectory, zipDirectory } from "./zip-directory.ts";

/** Two of Apple's three programs use the same names inside, so they cannot be distinguished. */
const iwork = /^Index(?:\/Document\.iwa|\.zip)$/;
const contentTypes = "[Content_Types].xml";

/** What packs files without making a document of them; many of these are made with the means of Office. */
const archiveEndings: ReadonlySet<string> = new Set(["zip", "nupkg", "vsix"]);

export function zipType(bytes: Uint8Array, ending: string, signs: Signs): MediaType {
	const directory = zipDirectory(bytes);
	const packed = signs.within("application/zip");
	return (
		declaredType(directory, packed) ??
		markedType(directory.names, ending, packed) ??
		packed.find(({ endings }) => endings?.includes(ending))?.mediaType ??
		zippedTypes.get(ending) ??
		packageType(directory, ending)
	);
}

/** OpenDocument, EPUB and many others say it themselves, in a file called `mimetype`. What no document is packed as is not believed. */
function declaredType(directory: ZipDirectory, packed: readonly FileSign[]): MediaType | null {
	const said = parseMediaType(directory.read("mimetype", 200) ?? "");
	if (said === null) return null;
	return packed.some(({ mediaType }) => mediaType === said) || isZipped(said) || /^application\/vnd\.|\+zip$/.test(said) ? said : null;
}

function markedType(names: readonly string[], ending: string, packed: readonly FileSign[]): MediaType | null {
	const marked = (marks: typeof zipMarks) => marks.find(([entry]) => names.some((name) => entry.test(name)))?.[1] ?? null;
	const held = marked(zipMarks) ?? packed.find((sign) => sign.holds !== undefined && holdsAll(sign.holds, names))?.mediaType;
	if (held !== undefined) return held;
	const program = archiveEndings.has(ending) ? null : marked(programMarks);
	if (program !== null) return program;
	return names.some((name) => iwork.test(name)) ? (zippedTypes.get(ending) ?? "application/vnd.apple.iwork") : null;
}

/** A list of content types belongs to a document, whichever it is. */
function packageType({ names }: ZipDirectory, ending: string): MediaType {
	const isPackage = names.includes(contentTypes) && !archiveEndings.has(ending);
	return isPackage ? "application/vnd.openxmlformats-package" : "application/zip";
}
