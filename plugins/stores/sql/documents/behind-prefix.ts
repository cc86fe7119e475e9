/** The end of the range of all texts that begin with a prefix, so that an index can serve it. */

/** What comes after all that begins with it: its last character gives way to the next. */
export function behindPrefix(prefix: string): string {
	const characters = [...prefix];
	const last = characters.pop()?.codePointAt(0) ?? 0;
	return characters.join("") + String.fromCodePoint(Math.min(last + 1, 0x10ffff));
}
