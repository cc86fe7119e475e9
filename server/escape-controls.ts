/** Makes characters visible with which a stored or foreign text would act on a terminal or a log: they move the cursor, break lines, turn the direction. */

export function escapeControls(text: string): string {
	return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
