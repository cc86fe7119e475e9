/** Number formats of spreadsheets: formats a number as displayed in the cell, for example by `#,##0.00 "€"`. */

import { format, getFormatDateInfo, isValidFormat } from "numfmt";
import { type DateParts, dateText } from "./date-text.ts";

export type NumberFormat = (value: number, is1904: boolean) => string;

/** Longer than any real format. */
const codeCharactersMax = 1_000;
/** Numbers are searched, so plain blanks are used. */
const plain = { nbsp: false, throws: false } as const;

/** @param code as the file has it; blank for the general format. */
export function compileFormat(code: string): NumberFormat {
	// The locale of a currency symbol does not apply to the number's separators.
	const pattern = code.slice(0, codeCharactersMax).replace(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, '"$1"');
	const bare = pattern.replace(/"[^"]*"|\\.|_.|\*./g, "");
	if ((/^[\s;]*(?:\[[^\]]*\]\s*)*(?:general|standard|@)?[\s;@]*$/i.test(bare) && !/"[^"]+"|\\./.test(pattern)) || !isValidFormat(pattern)) return general;
	const parts = datePartsOf(pattern, bare);
	if (parts !== null) return (value, is1904) => dateText(value, parts, is1904) ?? general(value);
	return (value) => {
		// A trailing decimal point only aligns a column.
		const text = format(pattern, value, plain)
			.replace(/(?<=\d)\.(?!\d)/, "")
			.replace(/\s+/g, " ")
			.trim();
		return text === "" ? general(value) : text;
	};
}

/** The general format: integers as they are, others rounded to about the digits that fit. */
export function general(value: number): string {
	if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
	return String(Number(value.toPrecision(11))).replace("e", "E");
}

/** Formats a number that was stored with all digits of its double; other texts are returned unchanged. */
export function shownNumber(written: string, code = ""): string {
	const number = written === "" ? Number.NaN : Number(written);
	return Number.isFinite(number) ? compileFormat(code)(number, false) : written;
}

/** Null for a format of plain numbers. */
function datePartsOf(pattern: string, bare: string): DateParts | null {
	const isElapsed = /\[(?:h+|m+|s+)\]/i.test(bare);
	const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern);
	if (!(year || month || day || hours || minutes || seconds || isElapsed)) return null;
	return { hasYear: year, hasMonth: month, hasDay: day, hasTime: hours || minutes || seconds, hasSeconds: seconds, isElapsed };
}

/** Built-in formats, which files refer to by number. Localised date formats count as dates. */
const builtIn: Readonly<Record<number, string>> = {
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
	return builtIn[id] ?? "";
}
