/** Types that only plugins know: by what their extractors declare, or by the claim of a client where one of them takes it. */

import { supportedMimeTypes } from "file-type";
import { type MediaType, specificity } from "../../../core/model/media-type.ts";
import type { Extractor, FileSign } from "../../../core/plugin/contract.ts";
import { lookAt, type Shown } from "./detect-media-type.ts";
import { holds, type Signs } from "./signs.ts";
import { zipDirectory } from "./zip-directory.ts";

export interface Asked {
	readonly bytes: Uint8Array;
	readonly ending: string;
	readonly claimed: MediaType | null;
	/** What the bytes show without any plugin. */
	readonly shown: Shown;
}

export interface ListedTypes {
	/** Null where no plugin knows better. */
	readonly typeOf: (asked: Asked) => MediaType | null;
}

/** Recognised by their first bytes everywhere: a claim adds nothing, and against the bytes it is wrong. */
const toldByBytes: ReadonlySet<string> = supportedMimeTypes;

/** @param known what the extractors that come with the server declare. */
export function createListedTypes(extractors: readonly Extractor[], own: ReadonlySet<string>, known: Signs): ListedTypes {
	const ours = extractors.filter(({ name }) => own.has(name));
	const theirs = extractors.filter(({ name }) => !own.has(name));
	const signs = ours.flatMap((extractor) => extractor.signs ?? []);

	function mayBeClaimed(type: MediaType): boolean {
		const isTheirs = theirs.some(({ accepts }) => accepts.includes(type));
		return !isTheirs && !toldByBytes.has(type) && reads(ours, type);
	}

	return {
		typeOf(asked) {
			const { shown, claimed } = asked;
			// What the bytes show to be of one format that somebody reads stays that, whatever is said about it.
			if (signs.length + ours.length === 0 || (shown.isSure && reads(extractors, shown.type))) return null;
			const looked = { ...lookAt(asked.bytes), zip: shown.type === "application/zip" ? zipDirectory(asked.bytes) : null };
			const fitting = signs.map((sign) => ({ sign, told: holds(sign, looked) })).filter(({ told }) => told !== false);
			const marked = fitting.find(({ sign, told }) => told === true && (isMeant(sign, asked, known) || !isContainer(sign, shown.type, known)));
			const named = marked ?? fitting.find(({ sign, told }) => told === null && isMeant(sign, asked, known));
			if (named !== undefined) return named.sign.mediaType;
			if (claimed === null || !known.isOpen(shown.type) || !mayBeClaimed(claimed)) return null;
			const isRefuted = signs.some(({ mediaType }) => mediaType === claimed) && !fitting.some(({ sign }) => sign.mediaType === claimed);
			return isRefuted || !isPossible(claimed, shown.type) ? null : claimed;
		},
	};
}

function reads(extractors: readonly Extractor[], type: MediaType): boolean {
	return extractors.some(({ accepts }) => accepts.some((pattern) => specificity(pattern, type) > 0));
}

/** By its name, or by a claim about bytes that do not show anything else. */
function isMeant({ mediaType, endings = [] }: FileSign, { ending, claimed, shown }: Asked, known: Signs): boolean {
	return endings.includes(ending) || (claimed === mediaType && known.isOpen(shown.type) && isPossible(mediaType, shown.type));
}

/** Many formats begin as these do: their first bytes alone tell nothing. What is said of a ZIP's files, or of a text's words, does. */
function isContainer({ says, holds }: FileSign, type: MediaType, known: Signs): boolean {
	return says === undefined && holds === undefined && known.isOpen(type) && type !== "application/octet-stream" && type !== "text/plain";
}

/** Bytes that are no text are not of a type of text. */
function isPossible(claimed: MediaType, shown: MediaType): boolean {
	return !claimed.startsWith("text/") || shown.startsWith("text/") || shown === "application/json";
}
