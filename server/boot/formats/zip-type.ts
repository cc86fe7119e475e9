/** The media type of a ZIP: that of the document format it contains, or plain `application/zip`. */

import { type MediaType, parseMediaType } from "../../../core/model/media-type.ts";
import type { FileSignature } from "../../../core/plugin/contract.ts";
import { type FileSignatures, hasAllEntries } from "./file-signatures.ts";
import { isZipType, programTypesByEntry, zipTypesByEntry, zipTypesByExtension } from "./known-formats.ts";
import { type ZipDirectory, zipDirectory } from "./zip-directory.ts";

/** Two of Apple's three programs use the same names inside, so they cannot be distinguished. */
const iworkEntry = /^Index(?:\/Document\.iwa|\.zip)$/;
const contentTypes = "[Content_Types].xml";

/** Extensions of files that are only archives, although many contain `[Content_Types].xml`, as Office documents do. */
const archiveExtensions: ReadonlySet<string> = new Set(["zip", "nupkg", "vsix"]);

export function zipType(bytes: Uint8Array, extension: string, signatures: FileSignatures): MediaType {
	const directory = zipDirectory(bytes);
	const zipSignatures = signatures.inContainer("application/zip");
	return (
		declaredType(directory, zipSignatures) ??
		markedType(directory.names, extension, zipSignatures) ??
		zipSignatures.find(({ extensions }) => extensions?.includes(extension))?.mediaType ??
		zipTypesByExtension.get(extension) ??
		packageType(directory, extension)
	);
}

/**
 * OpenDocument, EPUB and others name their type in an entry called `mimetype`. If it is the first entry, as both of these formats require, an
 * unknown type is believed too. Types that are never stored in a ZIP are ignored.
 */
function declaredType(directory: ZipDirectory, zipSignatures: readonly FileSignature[]): MediaType | null {
	const declared = parseMediaType(directory.read("mimetype", 200) ?? "");
	if (declared === null) return null;
	const isKnown = zipSignatures.some(({ mediaType }) => mediaType === declared) || isZipType(declared);
	const isFirst = directory.names[0] === "mimetype" && /^application\/x-(?!tar$|gzip$|bzip2?$|7z|rar|xz$)/.test(declared);
	return isKnown || isFirst || /^application\/vnd\.|\+zip$/.test(declared) ? declared : null;
}

function markedType(names: readonly string[], extension: string, zipSignatures: readonly FileSignature[]): MediaType | null {
	const typeByEntry = (marks: typeof zipTypesByEntry) => marks.find(([entry]) => names.some((name) => entry.test(name)))?.[1] ?? null;
	const byEntry =
		typeByEntry(zipTypesByEntry) ??
		zipSignatures.find((signature) => signature.zipEntries !== undefined && hasAllEntries(signature.zipEntries, names))?.mediaType;
	if (byEntry !== undefined) return byEntry;
	const program = archiveExtensions.has(extension) ? null : typeByEntry(programTypesByEntry);
	if (program !== null) return program;
	return names.some((name) => iworkEntry.test(name)) ? (zipTypesByExtension.get(extension) ?? "application/vnd.apple.iwork") : null;
}

/** A ZIP with `[Content_Types].xml` is a package of some document format. */
function packageType({ names }: ZipDirectory, extension: string): MediaType {
	const isPackage = names.includes(contentTypes) && !archiveExtensions.has(extension);
	return isPackage ? "application/vnd.openxmlformats-package" : "application/zip";
}
