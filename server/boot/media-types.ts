/** Core's port for detecting media types: by the bytes or the text, by the signatures of listed plugins, and by the extension. */

import type { MediaType } from "../../core/model/media-type.ts";
import type { Extractor } from "../../core/plugin/contract.ts";
import type { MediaTypes } from "../../core/ports/media-types.ts";
import { detectMediaType, detectTextType, extensionOf } from "./formats/detect-media-type.ts";
import { fileSignatures } from "./formats/file-signatures.ts";
import { formatByExtension, formatName } from "./formats/known-formats.ts";
import { createListedTypes } from "./formats/listed-types.ts";

/** @param own names of the extractors that did not come with the server: a client may claim their types. */
export function createMediaTypes(extractors: readonly Extractor[], own: ReadonlySet<string>): MediaTypes {
	const all = fileSignatures(extractors);
	const known = fileSignatures(extractors.filter(({ name }) => !own.has(name)));
	const listed = createListedTypes(extractors, own, known);
	return {
		ofBytes: async (bytes, fileName, claimed) => {
			const shown = await detectMediaType({ bytes, fileName, claimed }, known);
			const extension = extensionOf(fileName);
			const type = listed.typeOf({ bytes, extension, claimed, detected: shown }) ?? shown.type;
			return type === "application/octet-stream" ? (formatByExtension(extension) ?? type) : type;
		},
		ofText: (text) => detectTextType(text, all),
		nameOf: (type: MediaType) => formatName(type),
	};
}
