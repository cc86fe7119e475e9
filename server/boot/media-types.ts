/** Core's port for telling what bytes or a text are: what they show, what the listed plugins know, and what it is called. */

import type { MediaType } from "../../core/model/media-type.ts";
import type { Extractor } from "../../core/plugin/contract.ts";
import type { MediaTypes } from "../../core/ports/media-types.ts";
import { detectMediaType, detectTextType, endingOf } from "./formats/detect-media-type.ts";
import { formatByEnding, formatName } from "./formats/known-formats.ts";
import { createListedTypes } from "./formats/listed-types.ts";
import { signsOf } from "./formats/signs.ts";

/** @param own names of the extractors that did not come with the server: a client may claim their types. */
export function createMediaTypes(extractors: readonly Extractor[], own: ReadonlySet<string>): MediaTypes {
	const all = signsOf(extractors);
	const known = signsOf(extractors.filter(({ name }) => !own.has(name)));
	const listed = createListedTypes(extractors, own, known);
	return {
		ofBytes: async (bytes, fileName, claimed) => {
			const shown = await detectMediaType({ bytes, fileName, claimed }, known);
			const ending = endingOf(fileName);
			const type = listed.typeOf({ bytes, ending, claimed, shown }) ?? shown.type;
			return type === "application/octet-stream" ? (formatByEnding(ending) ?? type) : type;
		},
		ofText: (text) => detectTextType(text, all),
		nameOf: (type: MediaType) => formatName(type),
	};
}
