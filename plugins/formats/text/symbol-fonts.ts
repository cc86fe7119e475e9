/** Converts the codes of symbol fonts, which are not Unicode, to characters that look alike. */

/** The font Symbol has Greek letters at the codes of these Latin ones. */
const latin = "ABCDEFGHIKLMNOPQRSTUWXYZabcdefghiklmnopqrstuwxyz";
const greek = "ΑΒΧΔΕΦΓΗΙΚΛΜΝΟΠΘΡΣΤΥΩΞΨΖαβχδεφγηικλμνοπθρστυωξψζ";
const symbol = new Map<number, string>([
	...[...latin].map((letter, index): [number, string] => [letter.charCodeAt(0), [...greek][index] ?? letter]),
	[0xa3, "≤"],
	[0xa5, "∞"],
	[0xab, "↔"],
	[0xac, "←"],
	[0xae, "→"],
	[0xb0, "°"],
	[0xb1, "±"],
	[0xb3, "≥"],
	[0xb4, "×"],
	[0xb7, "•"],
	[0xb8, "÷"],
	[0xb9, "≠"],
	[0xbb, "≈"],
	[0xce, "∈"],
	[0xd6, "√"],
	[0xe5, "∑"],
	[0xf2, "∫"],
]);
const wingdings = new Map<number, string>([
	[0x28, "☎"],
	[0x4a, "☺"],
	[0x6c, "●"],
	[0x6e, "■"],
	[0x6f, "□"],
	[0x71, "□"],
	[0x76, "❖"],
	[0xa7, "▪"],
	[0xa8, "□"],
	[0xd8, "➢"],
	[0xdf, "←"],
	[0xe0, "→"],
	[0xe8, "→"],
	[0xf0, "⇨"],
	[0xfb, "✗"],
	[0xfc, "✓"],
	[0xfd, "☒"],
	[0xfe, "☑"],
]);

/** @param code hexadecimal. @returns an empty string for a picture without a similar character. */
export function symbolText(font: string, code: string): string {
	const number = Number.parseInt(code, 16);
	if (!(number > 0 && number <= 0xffff)) return "";
	const isPrivate = number >= 0xf000 && number <= 0xf0ff;
	const fontCode = isPrivate ? number - 0xf000 : number;
	if (/^symbol/i.test(font)) return symbol.get(fontCode) ?? (fontCode < 0x80 ? String.fromCharCode(fontCode) : "");
	if (/^wingdings/i.test(font)) return wingdings.get(fontCode) ?? "";
	return isPrivate ? "" : String.fromCharCode(number);
}
