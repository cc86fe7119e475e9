/** Types that only plugins know: by what their extractors declare, or by the claim of a client where one of them takes it. */

import { supportedMimeTypes } from "file-type";
import { type MediaType, specificity } from "../../core/model/media-type.ts";
import type { Extractor, FileSign } from "../../core/plugin/contract.ts";
import { isOpenType, type Shown } from "./detect-media-type.ts";

export interface Looked {
	readonly bytes: Uint8Array;
	readonly ending: string;
	readonly claimed: MediaType | null;
	/** What the bytes show without any plugin. */
	readonly shown: Shown;
}

export interface ListedTypes {
	/** Null where no plugin knows better. */
	readonly typeOf: (looked: Looked) => MediaType | null;
}

/** Told by their first bytes wherever they are: a claim adds nothing, and against the bytes it is wrong. */
const toldByBytes: ReadonlySet<string> = supportedMimeTypes;

export function createListedTypes(extractors: readonly Extractor[], own: ReadonlySet<string>): ListedTypes {
	const signs = extractors.flatMap((extractor) => extractor.signs ?? []);
	const ours = extractors.filter(({ name }) => own.has(name));
	const theirs = extractors.filter(({ name }) => !own.has(name));

	function mayBeClaimed(type: MediaType): boolean {
		const isTheirs = theirs.some(({ accepts }) => accepts.includes(type));
		return !isTheirs && !toldByBytes.has(type) && reads(ours, type);
	}

	return {
		typeOf(looked) {
			const { shown, claimed } = looked;
			// What the bytes show to be of one format that somebody reads stays that, whatever is said about it.
			if (shown.isSure && reads(extractors, shown.type)) return null;
			const fitting = signs.filter((sign) => begins(sign, looked.bytes) !== false);
			const marked = fitting.find((sign) => begins(sign, looked.bytes) === true && (isMeant(sign, looked) || !isContainer(shown.type)));
			const named = marked ?? fitting.find((sign) => begins(sign, looked.bytes) === null && isMeant(sign, looked));
			if (named !== undefined) return named.mediaType;
			if (claimed === null || !isOpenType(shown.type) || !mayBeClaimed(claimed)) return null;
			const isRefuted = signs.some(({ mediaType }) => mediaType === claimed) && !fitting.some(({ mediaType }) => mediaType === claimed);
			return isRefuted || !isPossible(claimed, shown.type) ? null : claimed;
		},
	};
}

function reads(extractors: readonly Extractor[], type: MediaType): boolean {
	return extractors.some(({ accepts }) => accepts.some((pattern) => specificity(pattern, type) > 0));
}

/** Null when it says nothing about first bytes. */
function begins({ begins: beginnings }: FileSign, bytes: Uint8Array): boolean | null {
	if (beginnings === undefined) return null;
	return beginnings.some((beginning) => beginning.every((byte, index) => bytes[index] === byte));
}

/** By its name, or by a claim about bytes that do not show anything else. */
function isMeant({ mediaType, endings = [] }: FileSign, { ending, claimed, shown }: Looked): boolean {
	return endings.includes(ending) || (claimed === mediaType && isOpenType(shown.type) && isPossible(mediaType, shown.type));
}

/** Many formats begin as these do: their first bytes alone tell nothing. */
function isContainer(type: MediaType): boolean {
	return isOpenType(type) && type !== "application/octet-stream" && type !== "text/plain";
}

/** Bytes that are no text are not of a type of text. */
function isPossible(claimed: MediaType, shown: MediaType): boolean {
	return !claimed.startsWith("text/") || shown.startsWith("text/") || shown === "application/json";
}
