/** The name of the first element of a text, by its form alone: enough to recognize a format, long before anything is parsed. */

/** Past declarations and comments; null when the text does not begin like XML. */
export function rootOf(start: string): string | null {
	return /^(?:<\?[\s\S]*?\?>\s*|<!--[\s\S]*?-->\s*|<!doctype[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<([A-Za-z][\w.-]*)(?=[\s/>])/i.exec(start)?.[1] ?? null;
}
