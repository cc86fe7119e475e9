/** The file signatures that all extractors declare, with lookups for detection. */

import type { MediaType } from "../../../core/model/media-type.ts";
import type { Extractor, FileSignature } from "../../../core/plugin/contract.ts";
import type { ZipDirectory } from "./zip-directory.ts";

export interface FileSignatures {
	readonly all: readonly FileSignature[];
	/** The signatures that also apply to texts that are not files. */
	readonly pasted: readonly FileSignature[];
	/** Replaces an alias by the name that the extractor uses. */
	readonly nameOf: (type: MediaType) => MediaType;
	/** Whether other formats are based on this type, as on ZIP, XML or plain text. */
	readonly isGeneric: (type: MediaType) => boolean;
	/** The signature with this extension; null for an unknown extension. */
	readonly byExtension: (extension: string) => FileSignature | null;
	/** The signatures of formats that are stored in this container, such as DOCX in a ZIP. */
	readonly inContainer: (type: MediaType) => readonly FileSignature[];
}

export function fileSignatures(extractors: readonly Extractor[]): FileSignatures {
	const all = extractors.flatMap(({ signatures }) => signatures ?? []);
	const aliases = new Map(all.flatMap(({ mediaType, aliases = [] }) => aliases.map((alias): [MediaType, MediaType] => [alias, mediaType])));
	const generic = new Set<MediaType>(["application/octet-stream", "text/plain", ...all.filter(({ isGeneric }) => isGeneric).map(({ mediaType }) => mediaType)]);
	const texts = new Set(all.filter(({ matchesText }) => matchesText !== undefined).map(({ mediaType }) => mediaType));
	// A format inside a ZIP is never recognised by the extension alone; a text format such as JSON Lines is.
	const named = all.filter(({ container }) => container === undefined || texts.has(container));
	const extensions = new Map(
		named.toReversed().flatMap((signature) => (signature.extensions ?? []).map((extension): [string, FileSignature] => [extension, signature])),
	);
	return {
		all,
		pasted: all.filter(({ appliesToPasted }) => appliesToPasted),
		nameOf: (type) => aliases.get(type) ?? type,
		isGeneric: (type) => generic.has(type),
		byExtension: (extension) => extensions.get(extension) ?? null,
		inContainer: (type) => all.filter(({ container }) => container === type),
	};
}

/** What signatures are matched against. */
export interface FileHead {
	/** The first bytes. */
	readonly bytes: Uint8Array;
	/** The beginning of the text; null if the file is not text, see `FileSignature.matchesText`. */
	readonly start: string | null;
	/** The entries of a ZIP; null if the file is not a ZIP. */
	readonly zip: ZipDirectory | null;
}

/** Whether the bytes match the signature. Null if the signature declares nothing about bytes. */
export function matches({ magicBytes, matchesBytes, matchesText, zipEntries, oleStream }: FileSignature, { bytes, start, zip }: FileHead): boolean | null {
	const results = [
		magicBytes?.some((beginning) => beginning.every((byte, index) => bytes[index] === byte)),
		matchesBytes?.(bytes),
		matchesText === undefined ? undefined : start !== null && matchesText(start),
		zipEntries === undefined ? undefined : zip !== null && hasAllEntries(zipEntries, zip.names),
		oleStream === undefined ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(oleStream, 0, "utf16le"),
	].filter((answer) => answer !== undefined);
	return results.length === 0 ? null : results.includes(true);
}

export function hasAllEntries(patterns: readonly RegExp[], names: readonly string[]): boolean {
	return patterns.every((pattern) => names.some((name) => pattern.test(name)));
}

/** Chooses between several matching signatures: the one with this extension, otherwise the first. */
export function preferByExtension(matching: readonly FileSignature[], extension: string): MediaType | null {
	return (matching.find(({ extensions }) => extensions?.includes(extension)) ?? matching[0])?.mediaType ?? null;
}
