/** Reads the date and time before a turn, as messengers and logs write them: `[10:32]`, `2026-03-04 10:32`, `04/03/26, 10:32 -`. */

export interface Timestamp {
	/** Its length in characters, with the space after it. */
	readonly length: number;
	/** The date as epoch milliseconds, at midnight UTC; null if there is only a time. */
	readonly dateMs: number | null;
	/** The time of day, in milliseconds since midnight. */
	readonly timeOfDayMs: number;
}

/** The order of day and month in ambiguous dates. */
export type DateOrder = "day-first" | "month-first";

const pattern =
	/^\s*(?:[-*]\s+)?[[(]?(?<day>\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})?,?[ T]?(?<hours>\d{1,2}):(?<minutes>\d{2})(?::(?<seconds>\d{2})(?:[.,]\d{1,6})?)?(?:[ \u202F]?(?<half>[AaPp])\.?[Mm]\.?)?(?:Z|[+-]\d{2}:?\d{2})?[\])]?(?:\s+[-–])?\s+/u;

export function readTimestamp(line: string, order: DateOrder = "day-first"): Timestamp | null {
	const match = pattern.exec(line);
	if (match?.groups === undefined) return null;
	const { day, hours, minutes, seconds, half: amOrPm } = match.groups;
	const hour = amOrPm === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(amOrPm) ? 12 : 0);
	if (hour > 24 || Number(minutes) > 59) return null;
	const timeOfDayMs = ((hour * 60 + Number(minutes)) * 60 + Number(seconds ?? 0)) * 1000;
	return { length: match[0].length, dateMs: day === undefined ? null : dateMs(day, order), timeOfDayMs };
}

/** The order is month first if any date has a number above twelve in second place. */
export function detectDateOrder(lines: readonly string[]): DateOrder {
	const isMonthFirst = lines.some((line) => {
		const [first = 0, second = 0] = (pattern.exec(line)?.groups?.["day"] ?? "").split(/[-/.]/).map(Number);
		return first <= 12 && second > 12 && second <= 31;
	});
	return isMonthFirst ? "month-first" : "day-first";
}

function dateMs(day: string, order: DateOrder): number | null {
	const [first = 0, second = 0, third = 0] = day.split(/[-/.]/).map(Number);
	if (first > 31) return Date.UTC(first, second - 1, third);
	const year = third < 100 ? 2000 + third : third;
	const [date, month] = order === "month-first" ? [second, first] : [first, second];
	return month < 1 || month > 12 || date < 1 || date > 31 ? null : Date.UTC(year, month - 1, date);
}
