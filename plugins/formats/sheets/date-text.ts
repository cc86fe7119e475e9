/** A spreadsheet's number of a day → the date as ISO 8601 writes it, with as many parts as its format shows. */

export interface DateParts {
	readonly hasYear: boolean;
	readonly hasMonth: boolean;
	readonly hasDay: boolean;
	readonly hasTime: boolean;
	readonly hasSeconds: boolean;
	/** Hours, or minutes, that are not cut at a day: a duration. */
	readonly isElapsed: boolean;
}

const dayMs = 86_400_000;
/** The last day that Excel knows, in the year 9999. */
const serialMax = 2_958_465;
/** Days from Excel's day 0 to 1970, by each of its two calendars. */
const epoch1900 = 25_569;
const epoch1904 = 24_107;
/** Excel counts a 29 February 1900 that never was. */
const phantomDay = 60;

/** Null for a number that is no date. */
export function dateText(serial: number, parts: DateParts, is1904: boolean): string | null {
	if (!(serial >= 0 && serial <= serialMax)) return null;
	if (parts.isElapsed) return elapsedText(serial, parts.hasSeconds);
	const shifted = !is1904 && serial < phantomDay ? serial + 1 : serial;
	const written = new Date(Math.round((shifted - (is1904 ? epoch1904 : epoch1900)) * dayMs)).toISOString();
	const hasDate = parts.hasYear || parts.hasDay || (parts.hasMonth && !parts.hasTime);
	const time = written.slice(11, parts.hasSeconds ? 19 : 16);
	if (!hasDate) return time;
	const length = parts.hasDay || parts.hasTime ? 10 : monthOrYear(parts);
	return parts.hasTime ? `${written.slice(0, 10)} ${time}` : written.slice(0, length);
}

/** `mmm yyyy` says nothing of a day, `yyyy` nothing of a month. */
function monthOrYear({ hasMonth }: DateParts): number {
	return hasMonth ? 7 : 4;
}

function elapsedText(serial: number, hasSeconds: boolean): string {
	const seconds = Math.round(serial * 86_400);
	const two = (number: number) => String(number).padStart(2, "0");
	const clock = `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}`;
	return hasSeconds ? `${clock}:${two(seconds % 60)}` : clock;
}
