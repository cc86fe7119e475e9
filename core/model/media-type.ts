/** Media types: their name, and the character set beside it. */

export type MediaType = `${string}/${string}`;

/** `Text/HTML; charset=utf-8` → `text/html`; null when it is no media type at all. */
export function parseMediaType(text: string): MediaType | null {
	const name = text.split(";", 1)[0]?.trim().toLowerCase() ?? "";
	return /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+*-]+$/.test(name) ? (name as MediaType) : null;
}

/** The character set a media type names, lower case, or null. */
export function charsetOf(text: string): string | null {
	return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(text)?.[1]?.toLowerCase() ?? null;
}
