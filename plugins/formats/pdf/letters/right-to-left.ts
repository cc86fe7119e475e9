/** Arabic and Hebrew: characters in visual order → text in logical order. */

export interface Glyph {
	readonly text: string;
	readonly left: number;
	readonly right: number;
	/** A space that MuPDF has inserted for a gap. */
	readonly isPutIn: boolean;
	/** Restored from the page (see lost-letters.ts), so it comes after the others. */
	readonly isFound?: boolean;
}

/** Without Arabic and Persian digits and the punctuation of numbers. */
const rightToLeft = /^[\u0590-\u065f\u066d-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const leftToRight = /^\p{L}/u;
const digit = /^\p{Nd}/u;
const drawnLamAlef = /^[اأإآٱ]ل$/;
const mark = /^\p{M}+$/u;
const arabic = /[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/;
/** Contextual forms of letters, and ligatures. */
const presentationForms = /[\ufb1d-\ufdff\ufe70-\ufefc]+/g;

/** A quick test, called for every character. */
export function isRightToLeft(code: number): boolean {
	if (code >= 0x660 && code <= 0x66c) return false;
	return (code >= 0x590 && code <= 0x8ff && !(code >= 0x6f0 && code <= 0x6f9)) || (code >= 0xfb1d && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefc);
}

/** The number of right-to-left letters minus the others. */
export function leaningOf(text: string): number {
	let leaning = 0;
	for (const sign of text) {
		if (isRightToLeft(sign.codePointAt(0) ?? 0)) leaning++;
		else if (leftToRight.test(sign)) leaning--;
	}
	return leaning;
}

/** @param isLeftward whether most of the page is right-to-left, which decides for ambiguous lines */
export function readingOrder(glyphs: readonly Glyph[], isLeftward: boolean): string {
	const found = glyphs.filter((glyph) => glyph.isFound);
	const whole = [...clustersOf(found.length === 0 ? glyphs : glyphs.filter((glyph) => !glyph.isFound)), ...found];
	if (whole.some(({ text }) => isTold(text))) return whole.map(({ text }) => text).join("");
	const signs = withMarks(whole);
	const runsLeft = beginsRight(signs, isLeftward);
	const [plain, turned] = [false, true].map((mirrors) => (runsLeft ? leftward(signs, mirrors) : rightward(signs, mirrors))) as [string, string];
	// Programs store brackets in visual or in logical form.
	const read = pairsIn(turned) > pairsIn(plain) ? turned : plain;
	return read.replace(presentationForms, (forms) => forms.normalize("NFKC"));
}

/** A line with the same script at both ends has its direction; otherwise the majority decides, then the page. */
function beginsRight(signs: readonly string[], isLeftward: boolean): boolean {
	const letters = signs.filter((sign) => leaningOf(sign) !== 0);
	const ends = [letters[0], letters.at(-1)].reduce((sum, sign) => sum + Math.sign(leaningOf(sign ?? "")), 0);
	const leaning = ends === 0 ? leaningOf(letters.join("")) : ends;
	return leaning > 0 || (leaning === 0 && isLeftward);
}

/** In points; a narrower glyph counts as having no width. */
const widthMin = 0.01;

/** A letter with marks may have no width; the gap it leaves is no space. */
function clustersOf(glyphs: readonly Glyph[]): readonly Glyph[] {
	const whole: Glyph[] = [];
	let hasHollow = false;
	for (const glyph of glyphs.some(isHollowLetter) ? withLigatures(glyphs) : glyphs) {
		const last = whole.at(-1);
		const isMarked = last !== undefined && mark.test(last.text) && isNear(glyph.right, last.left);
		if (isMarked) whole[whole.length - 1] = { ...glyph, text: (glyph.text + last.text).normalize("NFC") };
		else if (last !== undefined && isHollowLetter(glyph) && isNear(glyph.left, last.right)) whole[whole.length - 1] = joined(last, [glyph]);
		else whole.push(glyph);
		hasHollow ||= isMarked && isHollow(glyph);
	}
	const shown = hasHollow ? whole.filter(({ isPutIn }) => !isPutIn) : whole;
	return shown.map(lamBeforeAlef);
}

/**
 * Letters without a width belong to the ligature at whose right edge they are. MuPDF reports them behind it in order; where it has
 * reversed the line it reports them before it, in reverse order, or in another span.
 */
function withLigatures(glyphs: readonly Glyph[]): readonly Glyph[] {
	const endingAt = new Map<number, Glyph>();
	for (const glyph of glyphs) if (!isHollow(glyph)) endingAt.set(stepOf(glyph.right), glyph);
	const drawnWith = new Map<Glyph, Glyph[]>();
	const [told, turned] = [new Set<Glyph>(), new Set<Glyph>()];
	let before: Glyph | undefined;
	const alone = glyphs.filter((glyph) => {
		told.add(glyph);
		const isBehind = before !== undefined && isNear(before.right, glyph.left);
		const letter = isHollowLetter(glyph) && !isBehind ? letterAt(stepOf(glyph.left), endingAt) : undefined;
		if (letter === undefined) {
			before = glyph;
			return true;
		}
		const drawn = drawnWith.get(letter);
		if (drawn === undefined) drawnWith.set(letter, [glyph]);
		else drawn.push(glyph);
		if (!told.has(letter)) turned.add(letter);
		return false;
	});
	return alone.map((letter) => {
		const drawn = drawnWith.get(letter) ?? [];
		return joined(letter, turned.has(letter) ? drawn.toReversed() : drawn);
	});
}

function isHollowLetter(glyph: Glyph): boolean {
	return isHollow(glyph) && !mark.test(glyph.text);
}

function stepOf(position: number): number {
	return Math.round(position / widthMin);
}

function letterAt(step: number, endingAt: ReadonlyMap<number, Glyph>): Glyph | undefined {
	return endingAt.get(step) ?? endingAt.get(step - 1) ?? endingAt.get(step + 1);
}

function joined(letter: Glyph, more: readonly Glyph[]): Glyph {
	return more.length === 0 ? letter : { ...letter, text: letter.text + more.map(({ text }) => text).join("") };
}

/** Many fonts store the lam-alef ligature in visual order. There is no ligature of alef and lam. */
function lamBeforeAlef(glyph: Glyph): Glyph {
	return drawnLamAlef.test(glyph.text) ? { ...glyph, text: [...glyph.text].toReversed().join("") } : glyph;
}

function isHollow({ left, right }: Glyph): boolean {
	return right - left < widthMin;
}

function isNear(one: number, other: number): boolean {
	return Math.abs(one - other) < widthMin;
}

/** Whether the file has replacement text (`ActualText`) for the glyph, which is in logical order. */
function isTold(text: string): boolean {
	return text.length > 1 && rightToLeft.test(text) && /\s|\p{Script=Latin}/u.test(text);
}

/** From left to right, each with its combining marks. */
function withMarks(glyphs: readonly Glyph[]): readonly string[] {
	const sorted = glyphs.filter(({ text }) => !mark.test(text)).sort((one, other) => one.left - other.left || one.right - other.right);
	const texts = sorted.map(({ text }) => text);
	for (const { text, left, right } of glyphs.filter((glyph) => mark.test(glyph.text))) {
		const middle = (left + right) / 2;
		const distances = sorted.map((base) => (rightToLeft.test(base.text) ? Math.abs((base.left + base.right) / 2 - middle) : Number.POSITIVE_INFINITY));
		const nearest = distances.indexOf(Math.min(...distances));
		if (nearest >= 0) texts[nearest] = `${texts[nearest] ?? ""}${text}`;
	}
	return texts;
}

/** Reverses a right-to-left line, except numbers and left-to-right words. */
function leftward(signs: readonly string[], mirrors: boolean): string {
	let read = "";
	for (let at = signs.length - 1; at >= 0; at--) {
		const isArabic = isArabicNumber(signs, at);
		const end = isArabic || !isSignOfNumber(signs[at]) || !digit.test(signs[at - 1] ?? "") ? at : at - 1;
		const from = isInRun(signs[end]) ? runStart(signs, end, isArabic) : at;
		read += from < at ? signs.slice(from, at + 1).join("") : mirrored(signs[at] ?? "", mirrors);
		at = from;
	}
	return read;
}

/** As in the bidirectional algorithm, numbers after Arabic letters or in Arabic digits are joined by fewer separators. */
function isArabicNumber(signs: readonly string[], at: number): boolean {
	if (/^[\u0660-\u0669]/.test(signs[at] ?? "")) return true;
	const before = signs.slice(at + 1).find((sign) => leaningOf(sign) !== 0) ?? "";
	return rightToLeft.test(before) && arabic.test(before);
}

/** A left-to-right line; stretches of Arabic or Hebrew in it are reversed. */
function rightward(signs: readonly string[], mirrors: boolean): string {
	let read = "";
	for (let at = 0; at < signs.length; at++) {
		let end = at;
		if (rightToLeft.test(signs[at] ?? ""))
			for (let next = at + 1; next < signs.length && !leftToRight.test(withoutRightToLeft(signs[next])); next++)
				if (rightToLeft.test(signs[next] ?? "")) end = next;
		read += end > at ? leftward(signs.slice(at, end + 1), mirrors) : (signs[at] ?? "");
		at = end;
	}
	return read;
}

/** Number signs, such as `%`: in Hebrew part of the number, in Arabic of the text. */
function isSignOfNumber(sign = ""): boolean {
	return /^[%٪‰°$€£₪]$/.test(sign);
}

function withoutRightToLeft(sign = ""): string {
	return rightToLeft.test(sign) ? "" : sign;
}

function isInRun(sign = ""): boolean {
	return digit.test(sign) || leftToRight.test(withoutRightToLeft(sign));
}

/** The start of the number or left-to-right text that ends here. */
function runStart(signs: readonly string[], end: number, isArabic: boolean): number {
	let [start, hasLetter] = [end, !digit.test(signs[end] ?? "")];
	for (let at = end - 1; at >= 0 && !rightToLeft.test(signs[at] ?? ""); at--) {
		if (!isInRun(signs[at])) continue;
		const between = signs.slice(at + 1, start).join("");
		const isLetter = !digit.test(signs[at] ?? "");
		if (between !== "" && !isLetter && !hasLetter && !(isArabic ? /^[.,:/٫٬]$/ : /^[.,:/٫٬+-]$/).test(between)) break;
		hasLetter ||= isLetter;
		start = at;
	}
	if (!isArabic && start > 0 && digit.test(signs[start] ?? "") && isSignOfNumber(signs[start - 1])) start--;
	return start;
}

const mirrors: Readonly<Record<string, string>> = { "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "<": ">", ">": "<", "«": "»", "»": "«" };

function mirrored(sign: string, isTurned: boolean): string {
	return isTurned ? (mirrors[sign] ?? sign) : sign;
}

function pairsIn(text: string): number {
	return text.match(/\([^()]*\)|\[[^[\]]*\]|«[^«»]*»/g)?.length ?? 0;
}
