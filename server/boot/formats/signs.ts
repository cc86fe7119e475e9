/** What the extractors declare of their files, as recognition asks for it. */

import type { MediaType } from "../../../core/model/media-type.ts";
import type { Extractor, FileSign } from "../../../core/plugin/contract.ts";
import type { ZipDirectory } from "./zip-directory.ts";

export interface Signs {
	readonly all: readonly FileSign[];
	/** Those that look at what was handed in as text as well. */
	readonly pasted: readonly FileSign[];
	/** One name for each type. */
	readonly nameOf: (type: MediaType) => MediaType;
	/** Whether bytes of this type may be packed or written so for any format. */
	readonly isOpen: (type: MediaType) => boolean;
	/** The type of a text file by its name. Null for an unknown ending. */
	readonly byEnding: (ending: string) => FileSign | null;
	/** Those of files whose bytes show no more than that they are of this type. */
	readonly within: (type: MediaType) => readonly FileSign[];
}

export function signsOf(extractors: readonly Extractor[]): Signs {
	const all = extractors.flatMap(({ signs }) => signs ?? []);
	const aliases = new Map(all.flatMap(({ mediaType, aliases = [] }) => aliases.map((alias): [MediaType, MediaType] => [alias, mediaType])));
	const open = new Set<MediaType>(["application/octet-stream", "text/plain", ...all.filter(({ isOpen }) => isOpen).map(({ mediaType }) => mediaType)]);
	const texts = new Set(all.filter(({ says }) => says !== undefined).map(({ mediaType }) => mediaType));
	// A document packed in a ZIP is not known by its name alone; one JSON value a line is.
	const named = all.filter(({ within }) => within === undefined || texts.has(within));
	const endings = new Map(named.toReversed().flatMap((sign) => (sign.endings ?? []).map((ending): [string, FileSign] => [ending, sign])));
	return {
		all,
		pasted: all.filter(({ isPasted }) => isPasted),
		nameOf: (type) => aliases.get(type) ?? type,
		isOpen: (type) => open.has(type),
		byEnding: (ending) => endings.get(ending) ?? null,
		within: (type) => all.filter(({ within }) => within === type),
	};
}

/** What is looked at to see whether a sign holds. */
export interface Looked {
	/** The first of them. */
	readonly bytes: Uint8Array;
	/** Null when it is no text, see `FileSign.says`. */
	readonly start: string | null;
	/** Null when it is no ZIP. */
	readonly zip: ZipDirectory | null;
}

/** What the bytes say: whether they are of this type. Null when the sign says nothing about bytes. */
export function holds({ begins, shows, says, holds, stream }: FileSign, { bytes, start, zip }: Looked): boolean | null {
	const answers = [
		begins?.some((beginning) => beginning.every((byte, index) => bytes[index] === byte)),
		shows?.(bytes),
		says === undefined ? undefined : start !== null && says(start),
		holds === undefined ? undefined : zip !== null && holdsAll(holds, zip.names),
		stream === undefined ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(stream, 0, "utf16le"),
	].filter((answer) => answer !== undefined);
	return answers.length === 0 ? null : answers.includes(true);
}

export function holdsAll(patterns: readonly RegExp[], names: readonly string[]): boolean {
	return patterns.every((pattern) => names.some((name) => pattern.test(name)));
}

/** Of several that fit the one that is called so. */
export function calledSo(fitting: readonly FileSign[], ending: string): MediaType | null {
	return (fitting.find(({ endings }) => endings?.includes(ending)) ?? fitting[0])?.mediaType ?? null;
}
