/** Formats numbers as a spreadsheet displays them, by format codes such as `#,##0.00 "€"`. */

import { format, getFormatDateInfo, isValidFormat } from "numfmt";
import { type DateParts, dateText } from "./date-text.ts";

export type NumberFormat = (value: number, is1904: boolean) => string;

/** No real format code is longer. */
const codeCharactersMax = 1_000;
/** Plain spaces in place of non-breaking ones, so that numbers are found by a search. */
const formatOptions = { nbsp: false, throws: false } as const;

/** @param code the format code in the file; blank for the general format. */
export function compileFormat(code: string): NumberFormat {
	// The locale of a currency symbol does not apply to the number's separators.
	const pattern = code.slice(0, codeCharactersMax).replace(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, '"$1"');
	const withoutLiterals = pattern.replace(/"[^"]*"|\\.|_.|\*./g, "");
	if ((/^[\s;]*(?:\[[^\]]*\]\s*)*(?:general|standard|@)?[\s;@]*$/i.test(withoutLiterals) && !/"[^"]+"|\\./.test(pattern)) || !isValidFormat(pattern))
		return general;
	const parts = datePartsOf(pattern, withoutLiterals);
	if (parts !== null) return (value, is1904) => dateText(value, parts, is1904) ?? general(value);
	return (value) => {
		// A trailing decimal point only aligns a column.
		const text = format(pattern, value, formatOptions)
			.replace(/(?<=\d)\.(?!\d)/, "")
			.replace(/\s+/g, " ")
			.trim();
		return text === "" ? general(value) : text;
	};
}

/** The general format: integers unchanged, other numbers rounded to 11 digits, about what fits into a cell. */
export function general(value: number): string {
	if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
	return String(Number(value.toPrecision(11))).replace("e", "E");
}

/** Formats a number that is stored as text with all its digits. Texts that are not numbers are returned unchanged. */
export function formatStoredNumber(raw: string, code = ""): string {
	const number = raw === "" ? Number.NaN : Number(raw);
	return Number.isFinite(number) ? compileFormat(code)(number, false) : raw;
}

/** The parts of a date that a format shows; null for a format of plain numbers. */
function datePartsOf(pattern: string, withoutLiterals: string): DateParts | null {
	const isElapsed = /\[(?:h+|m+|s+)\]/i.test(withoutLiterals);
	const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern);
	if (!(year || month || day || hours || minutes || seconds || isElapsed)) return null;
	return { hasYear: year, hasMonth: month, hasDay: day, hasTime: hours || minutes || seconds, hasSeconds: seconds, isElapsed };
}

/** Built-in formats, which files refer to by number. Localised date formats count as dates. */
const builtInFormats: Readonly<Record<number, string>> = {
	1: "0",
	2: "0.00",
	3: "#,##0",
	4: "#,##0.00",
	9: "0%",
	10: "0.00%",
	11: "0.00E+00",
	14: "yyyy-mm-dd",
	15: "d-mmm-yy",
	16: "d-mmm",
	17: "mmm-yy",
	18: "h:mm",
	19: "h:mm:ss",
	20: "h:mm",
	21: "h:mm:ss",
	22: "yyyy-mm-dd h:mm",
	37: "#,##0;(#,##0)",
	38: "#,##0;(#,##0)",
	39: "#,##0.00;(#,##0.00)",
	40: "#,##0.00;(#,##0.00)",
	41: "#,##0;(#,##0)",
	42: "$#,##0;($#,##0)",
	43: "#,##0.00;(#,##0.00)",
	44: "$#,##0.00;($#,##0.00)",
	45: "mm:ss",
	46: "[h]:mm:ss",
	47: "mm:ss",
	48: "##0.0E+0",
};

export function builtInFormat(id: number): string {
	if ((id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return "yyyy-mm-dd";
	return builtInFormats[id] ?? "";
}
