/** Number formats of spreadsheets: `#,##0.00 "€"` and a number → what a person sees in the cell. */

import { type DateParts, dateText } from "./date-text.ts";
import { type NumberPart, numberParts, numberText } from "./number-text.ts";

export type NumberFormat = (value: number, is1904: boolean) => string;

/** A longer code is no format that anybody wrote. */
const codeCharactersMax = 1_000;

/** @param code as the file has it; blank for the general format. */
export function compileFormat(code: string): NumberFormat {
	const sections = sectionsOf(code.slice(0, codeCharactersMax)).map(compileSection);
	const [first = general, negative, zero] = sections;
	return (value, is1904) => {
		if (value < 0 && negative !== undefined) return negative(-value, is1904);
		if (value === 0 && zero !== undefined) return zero(value, is1904);
		return first(value, is1904);
	};
}

/** As a cell without a format shows it: whole numbers whole, others to about as many digits as fit. */
export function general(value: number): string {
	if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
	return String(Number(value.toPrecision(11))).replace("e", "E");
}

/** A number that a program has written with all digits of its double, as a cell of this format shows it; anything else as it is. */
export function shownNumber(written: string, code = ""): string {
	const number = written === "" ? Number.NaN : Number(written);
	return Number.isFinite(number) ? compileFormat(code)(number, false) : written;
}

/** Semicolons part the formats of positive, negative, zero and text; not those in quotes or behind a backslash. */
function sectionsOf(code: string): readonly string[] {
	return code.match(/(?:"[^"]*"|\\.|\[[^\]]*\]|[^;])+|(?<=;)(?=;|$)/g) ?? [];
}

function compileSection(section: string): NumberFormat {
	const bare = section.replace(/"[^"]*"|\\.|_.|\*./g, "");
	if (/^\s*(?:\[[^\]]*\]\s*)*(?:general|standard|@)?\s*$/i.test(bare) && !hasWords(section)) return general;
	const parts = datePartsOf(bare);
	if (parts !== null) return (value, is1904) => dateText(value, parts, is1904) ?? general(value);
	const pieces: readonly NumberPart[] | null = numberParts(section);
	return pieces === null ? general : (value) => numberText(pieces, value);
}

function hasWords(section: string): boolean {
	return /"[^"]+"|\\./.test(section);
}

/** Null for a format of plain numbers. */
function datePartsOf(bare: string): DateParts | null {
	const isElapsed = /\[(?:h+|m+|s+)\]/i.test(bare);
	const letters = bare
		.replace(/\[(h+|m+|s+)\]/gi, "$1")
		.replace(/\[[^\]]*\]|general|E[+-]/gi, "")
		.toLowerCase();
	if (!/[dmyhs]/.test(letters) || /[#?]/.test(letters)) return null;
	// `mm` beside hours or seconds are minutes.
	const months = letters.replace(/h+[^dmyhs]*m{1,2}(?!m)/g, "h").replace(/m{1,2}(?!m)[^dmyhs]*s/g, "s");
	return {
		hasYear: letters.includes("y"),
		hasMonth: months.replace(/am\/pm|a\/p/g, "").includes("m"),
		hasDay: letters.includes("d"),
		hasTime: /[hs]/.test(letters),
		hasSeconds: letters.includes("s"),
		isElapsed,
	};
}

/** Formats that files name by number only. Dates of other scripts count as dates. */
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
