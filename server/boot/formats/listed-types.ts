/** Media types of plugins that are not built in: by the signatures of their extractors, or by a client's claim if one of them accepts that type. */

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
	/** Null if no listed plugin has a better type. */
	readonly typeOf: (file: FileToType) => MediaType | null;
}

/** Types that are always recognised by their first bytes. A client's claim of such a type is never used. */
const knownByBytes: ReadonlySet<string> = supportedMimeTypes;

/** @param builtinSignatures the signatures of the built-in extractors */
export function createListedTypes(extractors: readonly Extractor[], listedNames: ReadonlySet<string>, builtinSignatures: FileSignatures): ListedTypes {
	const listed = extractors.filter(({ name }) => listedNames.has(name));
	const builtin = extractors.filter(({ name }) => !listedNames.has(name));
	const signatures = listed.flatMap((extractor) => extractor.signatures ?? []);

	function mayBeClaimed(type: MediaType): boolean {
		const isBuiltin = builtin.some(({ accepts }) => accepts.includes(type));
		return !isBuiltin && !knownByBytes.has(type) && acceptsType(listed, type);
	}

	return {
		typeOf(file) {
			const { detected, claimed } = file;
			// If the bytes identify a specific type that an extractor reads, that type is final.
			if (signatures.length + listed.length === 0 || (detected.isSure && acceptsType(extractors, detected.type))) return null;
			const head = { ...headOf(file.bytes), zip: detected.type === "application/zip" ? zipDirectory(file.bytes) : null };
			const candidates = signatures.map((signature) => ({ signature, matched: matches(signature, head) })).filter(({ matched }) => matched !== false);
			const marked = candidates.find(
				({ signature, matched }) =>
					matched === true &&
					(matchesExtensionOrClaim(signature, file, builtinSignatures) || !matchesOnlyContainer(signature, detected.type, builtinSignatures)),
			);
			const named = marked ?? candidates.find(({ signature, matched }) => matched === null && matchesExtensionOrClaim(signature, file, builtinSignatures));
			if (named !== undefined) return named.signature.mediaType;
			if (claimed === null || !builtinSignatures.isGeneric(detected.type) || !mayBeClaimed(claimed)) return null;
			const isRefuted = signatures.some(({ mediaType }) => mediaType === claimed) && !candidates.some(({ signature }) => signature.mediaType === claimed);
			return isRefuted || !canBe(claimed, detected.type) ? null : claimed;
		},
	};
}

function acceptsType(extractors: readonly Extractor[], type: MediaType): boolean {
	return extractors.some(({ accepts }) => accepts.some((pattern) => specificity(pattern, type) > 0));
}

/** Whether the signature has the file's extension, or the claimed type while the bytes are generic. */
function matchesExtensionOrClaim(
	{ mediaType, extensions = [] }: FileSignature,
	{ extension, claimed, detected }: FileToType,
	builtinSignatures: FileSignatures,
): boolean {
	return extensions.includes(extension) || (claimed === mediaType && builtinSignatures.isGeneric(detected.type) && canBe(mediaType, detected.type));
}

/** Whether the signature only matches the magic bytes of a generic format. A test of the text or of ZIP entries is more specific. */
function matchesOnlyContainer({ matchesText, zipEntries }: FileSignature, type: MediaType, builtinSignatures: FileSignatures): boolean {
	return (
		matchesText === undefined && zipEntries === undefined && builtinSignatures.isGeneric(type) && type !== "application/octet-stream" && type !== "text/plain"
	);
}

/** Binary bytes cannot be a text type. */
function canBe(claimed: MediaType, detected: MediaType): boolean {
	return !claimed.startsWith("text/") || detected.startsWith("text/") || detected === "application/json";
}
