/** Parses media types and their `charset` parameter. */

export type MediaType = `${string}/${string}`;

/** The media type without parameters, in lower case: `text/html` for `Text/HTML; charset=utf-8`. Null if the string is not a media type. */
export function parseMediaType(text: string): MediaType | null {
	const mediaType = text.split(";", 1)[0]?.trim().toLowerCase() ?? "";
	return /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+*-]+$/.test(mediaType) ? (mediaType as MediaType) : null;
}

/** The `charset` parameter of a media type, in lower case; null if there is none. */
export function charsetOf(text: string): string | null {
	return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(text)?.[1]?.toLowerCase() ?? null;
}
