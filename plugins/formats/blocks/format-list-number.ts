/** Formats a list item's number in the numbering format of its list: `3`, `c`, `iii`. */

const romanNumerals: readonly (readonly [value: number, sign: string])[] = [
	[1000, "m"],
	[900, "cm"],
	[500, "d"],
	[400, "cd"],
	[100, "c"],
	[90, "xc"],
	[50, "l"],
	[40, "xl"],
	[10, "x"],
	[9, "ix"],
	[5, "v"],
	[4, "iv"],
	[1, "i"],
];
const romanMax = 4_000;

/** @param format Word's name of the format. Formats not listed here, such as those of other scripts, become decimal digits. */
export function formatListNumber(format: string, number: number): string {
	switch (format) {
		case "none":
			return "";
		case "decimalZero":
			return String(number).padStart(2, "0");
		case "lowerLetter":
			return letters(number);
		case "upperLetter":
			return letters(number).toUpperCase();
		case "lowerRoman":
			return romanOf(number);
		case "upperRoman":
			return romanOf(number).toUpperCase();
		default:
			return String(number);
	}
}

/** After `z` comes `aa`, then `bb`. */
function letters(number: number): string {
	if (number < 1 || number > 26 * 20) return String(number);
	return String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
}

function romanOf(number: number): string {
	if (number < 1 || number >= romanMax) return String(number);
	let remaining = number;
	let result = "";
	for (const [value, numeral] of romanNumerals) {
		while (remaining >= value) {
			result += numeral;
			remaining -= value;
		}
	}
	return result;
}
