/** Core's port for detecting media types: by the bytes or the text, by the signatures of listed plugins, and by the extension. */

import type { MediaType } from "../../core/model/media-type.ts";
import type { Extractor } from "../../core/plugin/contract.ts";
import type { MediaTypes } from "../../core/ports/media-types.ts";
import { detectMediaType, detectTextType, extensionOf } from "./formats/detect-media-type.ts";
import { fileSignatures } from "./formats/file-signatures.ts";
import { formatByExtension, formatName } from "./formats/known-formats.ts";
import { createListedTypes } from "./formats/listed-types.ts";

/** @param listedNames names of the extractors that are not built in; clients may claim their types. */
export function createMediaTypes(extractors: readonly Extractor[], listedNames: ReadonlySet<string>): MediaTypes {
	const all = fileSignatures(extractors);
	const builtinSignatures = fileSignatures(extractors.filter(({ name }) => !listedNames.has(name)));
	const listed = createListedTypes(extractors, listedNames, builtinSignatures);
	return {
		ofBytes: async (bytes, fileName, claimed) => {
			const detected = await detectMediaType({ bytes, fileName, claimed }, builtinSignatures);
			const extension = extensionOf(fileName);
			const type = listed.typeOf({ bytes, extension, claimed, detected }) ?? detected.type;
			return type === "application/octet-stream" ? (formatByExtension(extension) ?? type) : type;
		},
		ofText: (text) => detectTextType(text, all),
		nameOf: (type: MediaType) => formatName(type),
	};
}
