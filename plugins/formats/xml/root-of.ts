/** The name of a text's root element, by a pattern and without parsing: enough to detect a format. */

/** Skips declarations and comments; null when the text does not begin like XML. */
export function rootOf(start: string): string | null {
	return /^(?:<\?[\s\S]*?\?>\s*|<!--[\s\S]*?-->\s*|<!doctype[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<([A-Za-z][\w.-]*)(?=[\s/>])/i.exec(start)?.[1] ?? null;
}
