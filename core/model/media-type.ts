/** Media types: their name, and how specifically a pattern such as `image/*` names one. */

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

/** How well a pattern fits: 2 for the very type, 1 for its family (`image/*`), 0 for everything, -1 for not at all. */
export function specificity(pattern: MediaType, type: MediaType): number {
	if (pattern === type) return 2;
	if (pattern === "*/*") return 0;
	const [family, rest] = pattern.split("/");
	return rest === "*" && type.startsWith(`${family}/`) ? 1 : -1;
}
