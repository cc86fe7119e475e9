/** Removes from every text what no storage can keep: NUL characters, and halves of surrogate pairs. */

/** Deeper values are refused when they are read, so they are not cleaned. */
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
