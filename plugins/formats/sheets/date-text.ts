/** Serial date numbers of spreadsheets → ISO 8601, with the parts that the cell's format shows. */

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
/** The last day of Excel, in the year 9999. */
const serialMax = 2_958_465;
/** Days from Excel's day 0 to 1970, in its two date systems. */
const epoch1900 = 25_569;
const epoch1904 = 24_107;
/** Excel counts a 29 February 1900, which did not exist. */
const phantomDay = 60;

/** Null for a number that cannot be a date. */
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

/** The length of the date: `mmm yyyy` has no day, `yyyy` no month. */
function monthOrYear({ hasMonth }: DateParts): number {
	return hasMonth ? 7 : 4;
}

function elapsedText(serial: number, hasSeconds: boolean): string {
	const seconds = Math.round(serial * 86_400);
	const two = (number: number) => String(number).padStart(2, "0");
	const clock = `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}`;
	return hasSeconds ? `${clock}:${two(seconds % 60)}` : clock;
}
