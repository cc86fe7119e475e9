/** The media type of a ZIP: that of the document format it contains, or plain `application/zip`. */

import { type MediaType, parseMediaType } from "../../../core/model/media-type.ts";
import type { FileSignature } from "../../../core/plugin/contract.ts";
import { type FileSignatures, hasAllEntries } from "./file-signatures.ts";
import { isZipped, programMarks, zipMarks, zippedTypes } from "./known-formats.ts";
import { type ZipDirectory, zipDirectory } from "./zip-directory.ts";

/** Two of Apple's three programs use the same names inside, so they cannot be distinguished. */
const iwork = /^Index(?:\/Document\.iwa|\.zip)$/;
const contentTypes = "[Content_Types].xml";

/** Extensions of mere archives. Many of them contain `[Content_Types].xml`, as Office documents do. */
const archiveExtensions: ReadonlySet<string> = new Set(["zip", "nupkg", "vsix"]);

export function zipType(bytes: Uint8Array, extension: string, signatures: FileSignatures): MediaType {
	const directory = zipDirectory(bytes);
	const packed = signatures.inContainer("application/zip");
	return (
		declaredType(directory, packed) ??
		markedType(directory.names, extension, packed) ??
		packed.find(({ extensions }) => extensions?.includes(extension))?.mediaType ??
		zippedTypes.get(extension) ??
		packageType(directory, extension)
	);
}

/**
 * OpenDocument, EPUB and others name their type in an entry called `mimetype`. Where it is the first entry, as both of these demand, a type
 * that is not known is believed too. Types that are never stored in a ZIP are ignored.
 */
function declaredType(directory: ZipDirectory, packed: readonly FileSignature[]): MediaType | null {
	const said = parseMediaType(directory.read("mimetype", 200) ?? "");
	if (said === null) return null;
	const isKnown = packed.some(({ mediaType }) => mediaType === said) || isZipped(said);
	const isFirst = directory.names[0] === "mimetype" && /^application\/x-(?!tar$|gzip$|bzip2?$|7z|rar|xz$)/.test(said);
	return isKnown || isFirst || /^application\/vnd\.|\+zip$/.test(said) ? said : null;
}

function markedType(names: readonly string[], extension: string, packed: readonly FileSignature[]): MediaType | null {
	const marked = (marks: typeof zipMarks) => marks.find(([entry]) => names.some((name) => entry.test(name)))?.[1] ?? null;
	const held = marked(zipMarks) ?? packed.find((sign) => sign.zipEntries !== undefined && hasAllEntries(sign.zipEntries, names))?.mediaType;
	if (held !== undefined) return held;
	const program = archiveExtensions.has(extension) ? null : marked(programMarks);
	if (program !== null) return program;
	return names.some((name) => iwork.test(name)) ? (zippedTypes.get(extension) ?? "application/vnd.apple.iwork") : null;
}

/** A ZIP with `[Content_Types].xml` is a package of some document format. */
function packageType({ names }: ZipDirectory, extension: string): MediaType {
	const isPackage = names.includes(contentTypes) && !archiveExtensions.has(extension);
	return isPackage ? "application/vnd.openxmlformats-package" : "application/zip";
}
