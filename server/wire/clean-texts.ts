/** Takes out of every text what no storage can keep: NULs end texts early in many places, and half a character is not UTF-8. */

/** Deeper values are refused by those who read them, so nobody has to look into them here. */
const depthMax = 16;

/** The same value when there was nothing to mend. */
export function cleanTexts(value: unknown, depth = 0): unknown {
	if (typeof value === "string") return cleanText(value);
	if (typeof value !== "object" || value === null || depth >= depthMax) return value;
	if (Array.isArray(value)) return value.map((member) => cleanTexts(member, depth + 1));
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleanText(key), cleanTexts(member, depth + 1)]));
}

function cleanText(text: string): string {
	const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
	return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "") : wellFormed;
}
