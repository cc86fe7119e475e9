/** Media types of plugins that do not ship with Cairn: by the signatures of their extractors, or by a client's claim that one of them accepts. */

import { supportedMimeTypes } from "file-type";
import type { MediaType } from "../../../core/model/media-type.ts";
import { specificity } from "../../../core/plugin/choose.ts";
import type { Extractor, FileSignature } from "../../../core/plugin/contract.ts";
import { type DetectedType, headOf } from "./detect-media-type.ts";
import { type FileSignatures, matches } from "./file-signatures.ts";
import { zipDirectory } from "./zip-directory.ts";

export interface FileToType {
	readonly bytes: Uint8Array;
	readonly extension: string;
	readonly claimed: MediaType | null;
	/** The type detected without these plugins. */
	readonly detected: DetectedType;
}

export interface ListedTypes {
	/** Null where no plugin knows a better type. */
	readonly typeOf: (file: FileToType) => MediaType | null;
}

/** Types that are always recognised by their first bytes, so that a claim of one is never used. */
const knownByBytes: ReadonlySet<string> = supportedMimeTypes;

/** @param known what the extractors that come with the server declare. */
export function createListedTypes(extractors: readonly Extractor[], own: ReadonlySet<string>, known: FileSignatures): ListedTypes {
	const ours = extractors.filter(({ name }) => own.has(name));
	const theirs = extractors.filter(({ name }) => !own.has(name));
	const signatures = ours.flatMap((extractor) => extractor.signatures ?? []);

	function mayBeClaimed(type: MediaType): boolean {
		const isTheirs = theirs.some(({ accepts }) => accepts.includes(type));
		return !isTheirs && !knownByBytes.has(type) && reads(ours, type);
	}

	return {
		typeOf(file) {
			const { detected, claimed } = file;
			// A specific type that the bytes show, and that an extractor reads, is final.
			if (signatures.length + ours.length === 0 || (detected.isSure && reads(extractors, detected.type))) return null;
			const head = { ...headOf(file.bytes), zip: detected.type === "application/zip" ? zipDirectory(file.bytes) : null };
			const fitting = signatures.map((signature) => ({ signature, matched: matches(signature, head) })).filter(({ matched }) => matched !== false);
			const marked = fitting.find(
				({ signature, matched }) => matched === true && (isMeant(signature, file, known) || !isContainer(signature, detected.type, known)),
			);
			const named = marked ?? fitting.find(({ signature, matched }) => matched === null && isMeant(signature, file, known));
			if (named !== undefined) return named.signature.mediaType;
			if (claimed === null || !known.isGeneric(detected.type) || !mayBeClaimed(claimed)) return null;
			const isRefuted = signatures.some(({ mediaType }) => mediaType === claimed) && !fitting.some(({ signature }) => signature.mediaType === claimed);
			return isRefuted || !isPossible(claimed, detected.type) ? null : claimed;
		},
	};
}

function reads(extractors: readonly Extractor[], type: MediaType): boolean {
	return extractors.some(({ accepts }) => accepts.some((pattern) => specificity(pattern, type) > 0));
}

/** By its extension, or by the client's claim where the bytes are generic. */
function isMeant({ mediaType, extensions = [] }: FileSignature, { extension, claimed, detected }: FileToType, known: FileSignatures): boolean {
	return extensions.includes(extension) || (claimed === mediaType && known.isGeneric(detected.type) && isPossible(mediaType, detected.type));
}

/** Whether the signature only matches the magic bytes of a generic format. A test of the text or of ZIP entries is more specific. */
function isContainer({ matchesText, zipEntries }: FileSignature, type: MediaType, known: FileSignatures): boolean {
	return matchesText === undefined && zipEntries === undefined && known.isGeneric(type) && type !== "application/octet-stream" && type !== "text/plain";
}

/** Binary bytes cannot be a text type. */
function isPossible(claimed: MediaType, shown: MediaType): boolean {
	return !claimed.startsWith("text/") || shown.startsWith("text/") || shown === "application/json";
}
