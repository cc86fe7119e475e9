/** Formats the serial date numbers of spreadsheets as ISO 8601, with the parts that the cell's format shows. */

export interface DateParts {
	readonly hasYear: boolean;
	readonly hasMonth: boolean;
	readonly hasDay: boolean;
	readonly hasTime: boolean;
	readonly hasSeconds: boolean;
	/** A duration: hours or minutes that may exceed a day. */
	readonly isElapsed: boolean;
}

const dayMs = 86_400_000;
/** The last day that Excel has, in the year 9999. */
const serialMax = 2_958_465;
/** Days from Excel's day 0 to 1970, in its two date systems. */
const epoch1900 = 25_569;
const epoch1904 = 24_107;
/** The serial number of 29 February 1900, which Excel counts although it did not exist. */
const phantomDay = 60;

/** @returns null for a number that cannot be a date. */
export function dateText(serial: number, parts: DateParts, is1904: boolean): string | null {
	if (!(serial >= 0 && serial <= serialMax)) return null;
	if (parts.isElapsed) return elapsedText(serial, parts.hasSeconds);
	const days = !is1904 && serial < phantomDay ? serial + 1 : serial;
	const iso = new Date(Math.round((days - (is1904 ? epoch1904 : epoch1900)) * dayMs)).toISOString();
	const hasDate = parts.hasYear || parts.hasDay || (parts.hasMonth && !parts.hasTime);
	const time = iso.slice(11, parts.hasSeconds ? 19 : 16);
	if (!hasDate) return time;
	const length = parts.hasDay || parts.hasTime ? 10 : monthOrYearLength(parts);
	return parts.hasTime ? `${iso.slice(0, 10)} ${time}` : iso.slice(0, length);
}

/** The number of characters of a date without a day: `2024-03`, or `2024` without a month. */
function monthOrYearLength({ hasMonth }: DateParts): number {
	return hasMonth ? 7 : 4;
}

function elapsedText(serial: number, hasSeconds: boolean): string {
	const seconds = Math.round(serial * 86_400);
	const twoDigits = (number: number) => String(number).padStart(2, "0");
	const clock = `${Math.floor(seconds / 3_600)}:${twoDigits(Math.floor(seconds / 60) % 60)}`;
	return hasSeconds ? `${clock}:${twoDigits(seconds % 60)}` : clock;
}
