/**
 * Joins the lines of a paragraph that were only wrapped at the width of an editor. CommonMark renders each end of a line within a
 * paragraph as a space (section 6.8, soft line breaks); here only those that are surely wrapped, since many people write notes and
 * chats with one thing a line and no blank lines between.
 */

/** The minimum length of a wrapped line in its source, with the URLs of its links. */
const wrappedMin = 50;
const endOfSentence = /[.!?:;…]["”’)*_`]*\s*$/;
/** Two spaces or a backslash at the end of a line are a hard line break. */
const hardBreak = /(?: {2}|\\)$/;
const label = /^\s*(?:[*_]{2})?[\p{L}][\p{L}\p{N} .'’-]{0,39}:/u;
const timestamp = /^\s*[[(]?\d{1,4}[:./-]\d/;

/**
 * @param text the paragraph without its marks
 * @param source the same paragraph as it is written, with the indentation of its further lines
 */
export function withoutSoftBreaks(text: string, source: string): string {
	const lines = text.split("\n");
	const written = source.split("\n");
	// Where the marks themselves hold a line break, as a long link does, it is not known which line became which.
	if (lines.length === 1 || lines.length !== written.length) return text;
	return lines.reduce((joined, line, i) => joined + (isWrapped(written[i - 1] ?? "", written[i] ?? "") ? " " : "\n") + line);
}

function isWrapped(line: string, next: string): boolean {
	if (hardBreak.test(line) || endOfSentence.test(line) || label.test(next) || timestamp.test(next)) return false;
	return line.trim().length >= wrappedMin || /^\s{2}/.test(next);
}
