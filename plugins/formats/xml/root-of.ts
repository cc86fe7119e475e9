/** Finds the name of the root element with a regular expression, without parsing. That is enough to detect a format. */

/** Skips declarations and comments. Null if the text does not begin like XML. */
export function rootOf(start: string): string | null {
	return /^(?:<\?[\s\S]*?\?>\s*|<!--[\s\S]*?-->\s*|<!doctype[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<([A-Za-z][\w.-]*)(?=[\s/>])/i.exec(start)?.[1] ?? null;
}
