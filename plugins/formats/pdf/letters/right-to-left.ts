/** Converts Arabic and Hebrew characters in visual order to text in logical order. */

export interface Glyph {
	readonly text: string;
	readonly left: number;
	readonly right: number;
	/** Whether it is a space that MuPDF inserted for a gap. */
	readonly isInserted: boolean;
	/** Whether it was restored from the page (see lost-letters.ts). Such glyphs come after the others. */
	readonly isRestored?: boolean;
}

/** Right-to-left characters, except Arabic and Persian digits and the punctuation of numbers. */
const rightToLeft = /^[\u0590-\u065f\u066d-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const leftToRight = /^\p{L}/u;
const digit = /^\p{Nd}/u;
const visualLamAlef = /^[اأإآٱ]ل$/;
const mark = /^\p{M}+$/u;
const arabic = /[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/;
/** Contextual forms of letters, and ligatures. */
const presentationForms = /[\ufb1d-\ufdff\ufe70-\ufefc]+/g;

/** Whether a character is right-to-left. A fast test, since it is called for every character. */
export function isRightToLeft(code: number): boolean {
	if (code >= 0x660 && code <= 0x66c) return false;
	return (code >= 0x590 && code <= 0x8ff && !(code >= 0x6f0 && code <= 0x6f9)) || (code >= 0xfb1d && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefc);
}

/** The number of right-to-left letters minus the number of left-to-right letters. */
export function rightToLeftBalance(text: string): number {
	let balance = 0;
	for (const cluster of text) {
		if (isRightToLeft(cluster.codePointAt(0) ?? 0)) balance++;
		else if (leftToRight.test(cluster)) balance--;
	}
	return balance;
}

/** @param isRightToLeftPage whether most of the page is right-to-left, which decides for ambiguous lines */
export function readingOrder(glyphs: readonly Glyph[], isRightToLeftPage: boolean): string {
	const restored = glyphs.filter((glyph) => glyph.isRestored);
	const wholeGlyphs = [...joinClusters(restored.length === 0 ? glyphs : glyphs.filter((glyph) => !glyph.isRestored)), ...restored];
	if (wholeGlyphs.some(({ text }) => isReplacementText(text))) return wholeGlyphs.map(({ text }) => text).join("");
	const clusters = attachMarks(wholeGlyphs);
	const isRightToLeftLine = isRightToLeftText(clusters, isRightToLeftPage);
	const [unmirroredText, mirroredText] = [false, true].map((mirrors) =>
		isRightToLeftLine ? readRightToLeft(clusters, mirrors) : readLeftToRight(clusters, mirrors),
	) as [string, string];
	// Some programs mirror brackets and some do not. The reading with more pairs of brackets is used.
	const result = countBracketPairs(mirroredText) > countBracketPairs(unmirroredText) ? mirroredText : unmirroredText;
	return result.replace(presentationForms, (forms) => forms.normalize("NFKC"));
}

/** A line with the same direction at both ends has that direction; otherwise the majority of letters decides, then the page. */
function isRightToLeftText(clusters: readonly string[], isRightToLeftPage: boolean): boolean {
	const letters = clusters.filter((cluster) => rightToLeftBalance(cluster) !== 0);
	const ends = [letters[0], letters.at(-1)].reduce((sum, cluster) => sum + Math.sign(rightToLeftBalance(cluster ?? "")), 0);
	const balance = ends === 0 ? rightToLeftBalance(letters.join("")) : ends;
	return balance > 0 || (balance === 0 && isRightToLeftPage);
}

/** Glyphs narrower than this, in points, count as having no width. */
const widthMin = 0.01;

/** Joins marks and ligatures with their letters. If a letter with marks has no width, inserted spaces are removed: its gap is not a space. */
function joinClusters(glyphs: readonly Glyph[]): readonly Glyph[] {
	const clusters: Glyph[] = [];
	let hasZeroWidth = false;
	for (const glyph of glyphs.some(isLetterWithoutWidth) ? joinLigatures(glyphs) : glyphs) {
		const last = clusters.at(-1);
		const isMarked = last !== undefined && mark.test(last.text) && isNear(glyph.right, last.left);
		if (isMarked) clusters[clusters.length - 1] = { ...glyph, text: (glyph.text + last.text).normalize("NFC") };
		else if (last !== undefined && isLetterWithoutWidth(glyph) && isNear(glyph.left, last.right)) clusters[clusters.length - 1] = joinGlyphs(last, [glyph]);
		else clusters.push(glyph);
		hasZeroWidth ||= isMarked && hasNoWidth(glyph);
	}
	const visible = hasZeroWidth ? clusters.filter(({ isInserted }) => !isInserted) : clusters;
	return visible.map(lamBeforeAlef);
}

/**
 * Letters without a width belong to the ligature at whose right edge they are. MuPDF reports them after it in order. If it has
 * reversed the line, it reports them before the ligature in reverse order, or in another span.
 */
function joinLigatures(glyphs: readonly Glyph[]): readonly Glyph[] {
	const glyphByRightEdge = new Map<number, Glyph>();
	for (const glyph of glyphs) if (!hasNoWidth(glyph)) glyphByRightEdge.set(stepOf(glyph.right), glyph);
	const lettersOfLigature = new Map<Glyph, Glyph[]>();
	const [seen, reversed] = [new Set<Glyph>(), new Set<Glyph>()];
	let previous: Glyph | undefined;
	const basesOnly = glyphs.filter((glyph) => {
		seen.add(glyph);
		const isBehind = previous !== undefined && isNear(previous.right, glyph.left);
		const letter = isLetterWithoutWidth(glyph) && !isBehind ? letterAt(stepOf(glyph.left), glyphByRightEdge) : undefined;
		if (letter === undefined) {
			previous = glyph;
			return true;
		}
		const ligatureLetters = lettersOfLigature.get(letter);
		if (ligatureLetters === undefined) lettersOfLigature.set(letter, [glyph]);
		else ligatureLetters.push(glyph);
		if (!seen.has(letter)) reversed.add(letter);
		return false;
	});
	return basesOnly.map((letter) => {
		const ligatureLetters = lettersOfLigature.get(letter) ?? [];
		return joinGlyphs(letter, reversed.has(letter) ? ligatureLetters.toReversed() : ligatureLetters);
	});
}

function isLetterWithoutWidth(glyph: Glyph): boolean {
	return hasNoWidth(glyph) && !mark.test(glyph.text);
}

function stepOf(position: number): number {
	return Math.round(position / widthMin);
}

function letterAt(step: number, glyphByRightEdge: ReadonlyMap<number, Glyph>): Glyph | undefined {
	return glyphByRightEdge.get(step) ?? glyphByRightEdge.get(step - 1) ?? glyphByRightEdge.get(step + 1);
}

function joinGlyphs(letter: Glyph, others: readonly Glyph[]): Glyph {
	return others.length === 0 ? letter : { ...letter, text: letter.text + others.map(({ text }) => text).join("") };
}

/** Puts a lam-alef ligature in logical order. Many fonts have it in visual order, and no ligature begins with alef. */
function lamBeforeAlef(glyph: Glyph): Glyph {
	return visualLamAlef.test(glyph.text) ? { ...glyph, text: [...glyph.text].toReversed().join("") } : glyph;
}

function hasNoWidth({ left, right }: Glyph): boolean {
	return right - left < widthMin;
}

function isNear(first: number, second: number): boolean {
	return Math.abs(first - second) < widthMin;
}

/** Whether the text of a glyph is replacement text (`ActualText`) of the file, which is in logical order already. */
function isReplacementText(text: string): boolean {
	return text.length > 1 && rightToLeft.test(text) && /\s|\p{Script=Latin}/u.test(text);
}

/** The characters from left to right, each with its combining marks. */
function attachMarks(glyphs: readonly Glyph[]): readonly string[] {
	const sorted = glyphs.filter(({ text }) => !mark.test(text)).sort((first, second) => first.left - second.left || first.right - second.right);
	const texts = sorted.map(({ text }) => text);
	for (const { text, left, right } of glyphs.filter((glyph) => mark.test(glyph.text))) {
		const middle = (left + right) / 2;
		const distances = sorted.map((base) => (rightToLeft.test(base.text) ? Math.abs((base.left + base.right) / 2 - middle) : Number.POSITIVE_INFINITY));
		const nearest = distances.indexOf(Math.min(...distances));
		if (nearest >= 0) texts[nearest] = `${texts[nearest] ?? ""}${text}`;
	}
	return texts;
}

/** Reads a line from right to left, except numbers and left-to-right words in it. */
function readRightToLeft(clusters: readonly string[], mirrors: boolean): string {
	let result = "";
	for (let index = clusters.length - 1; index >= 0; index--) {
		const isArabic = isArabicNumber(clusters, index);
		const end = isArabic || !isNumberSymbol(clusters[index]) || !digit.test(clusters[index - 1] ?? "") ? index : index - 1;
		const start = belongsToRun(clusters[end]) ? runStart(clusters, end, isArabic) : index;
		result += start < index ? clusters.slice(start, index + 1).join("") : mirror(clusters[index] ?? "", mirrors);
		index = start;
	}
	return result;
}

/** Whether a number follows Arabic letters or has Arabic digits. As in Unicode's bidirectional algorithm, fewer separators join such numbers. */
function isArabicNumber(clusters: readonly string[], index: number): boolean {
	if (/^[\u0660-\u0669]/.test(clusters[index] ?? "")) return true;
	const previousLetter = clusters.slice(index + 1).find((cluster) => rightToLeftBalance(cluster) !== 0) ?? "";
	return rightToLeft.test(previousLetter) && arabic.test(previousLetter);
}

/** Reads a line from left to right. Stretches of Arabic or Hebrew in it are reversed. */
function readLeftToRight(clusters: readonly string[], mirrors: boolean): string {
	let result = "";
	for (let index = 0; index < clusters.length; index++) {
		let end = index;
		if (rightToLeft.test(clusters[index] ?? ""))
			for (let next = index + 1; next < clusters.length && !leftToRight.test(withoutRightToLeft(clusters[next])); next++)
				if (rightToLeft.test(clusters[next] ?? "")) end = next;
		result += end > index ? readRightToLeft(clusters.slice(index, end + 1), mirrors) : (clusters[index] ?? "");
		index = end;
	}
	return result;
}

/** Whether it is a symbol beside numbers, such as `%`. It belongs to the number in Hebrew, and to the text in Arabic. */
function isNumberSymbol(cluster = ""): boolean {
	return /^[%٪‰°$€£₪]$/.test(cluster);
}

function withoutRightToLeft(cluster = ""): string {
	return rightToLeft.test(cluster) ? "" : cluster;
}

function belongsToRun(cluster = ""): boolean {
	return digit.test(cluster) || leftToRight.test(withoutRightToLeft(cluster));
}

/** The index at which the number or left-to-right text begins that ends at `end`. */
function runStart(clusters: readonly string[], end: number, isArabic: boolean): number {
	let [start, hasLetter] = [end, !digit.test(clusters[end] ?? "")];
	for (let index = end - 1; index >= 0 && !rightToLeft.test(clusters[index] ?? ""); index--) {
		if (!belongsToRun(clusters[index])) continue;
		const between = clusters.slice(index + 1, start).join("");
		const isLetter = !digit.test(clusters[index] ?? "");
		if (between !== "" && !isLetter && !hasLetter && !(isArabic ? /^[.,:/٫٬]$/ : /^[.,:/٫٬+-]$/).test(between)) break;
		hasLetter ||= isLetter;
		start = index;
	}
	if (!isArabic && start > 0 && digit.test(clusters[start] ?? "") && isNumberSymbol(clusters[start - 1])) start--;
	return start;
}

const mirrors: Readonly<Record<string, string>> = { "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "<": ">", ">": "<", "«": "»", "»": "«" };

function mirror(cluster: string, isMirrored: boolean): string {
	return isMirrored ? (mirrors[cluster] ?? cluster) : cluster;
}

function countBracketPairs(text: string): number {
	return text.match(/\([^()]*\)|\[[^[\]]*\]|«[^«»]*»/g)?.length ?? 0;
}
