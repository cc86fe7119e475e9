/** Date and time in front of a turn, as messengers and logs write them: `[10:32]`, `2026-03-04 10:32`, `04/03/26, 10:32 -`. */

export interface Stamp {
	/** Its length in characters, with the space after it. */
	readonly length: number;
	/** The day as of `Date.UTC`; null when only the time is given. */
	readonly dayMs: number | null;
	/** Since midnight. */
	readonly clockMs: number;
}

/** The order of day and month in ambiguous dates. */
export type DayOrder = "day-first" | "month-first";

const pattern =
	/^\s*(?:[-*]\s+)?[[(]?(?<day>\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})?,?[ T]?(?<hours>\d{1,2}):(?<minutes>\d{2})(?::(?<seconds>\d{2})(?:[.,]\d{1,6})?)?(?:[ \u202F]?(?<half>[AaPp])\.?[Mm]\.?)?(?:Z|[+-]\d{2}:?\d{2})?[\])]?(?:\s+[-–])?\s+/u;

export function stampOf(line: string, order: DayOrder = "day-first"): Stamp | null {
	const found = pattern.exec(line);
	if (found?.groups === undefined) return null;
	const { day, hours, minutes, seconds, half } = found.groups;
	const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
	if (hour > 24 || Number(minutes) > 59) return null;
	const clockMs = ((hour * 60 + Number(minutes)) * 60 + Number(seconds ?? 0)) * 1000;
	return { length: found[0].length, dayMs: day === undefined ? null : dayMs(day, order), clockMs };
}

/** Month first if any date of the log has a number above twelve in second place. */
export function dayOrderOf(lines: readonly string[]): DayOrder {
	const isMonthFirst = lines.some((line) => {
		const [first = 0, second = 0] = (pattern.exec(line)?.groups?.["day"] ?? "").split(/[-/.]/).map(Number);
		return first <= 12 && second > 12 && second <= 31;
	});
	return isMonthFirst ? "month-first" : "day-first";
}

function dayMs(day: string, order: DayOrder): number | null {
	const [first = 0, second = 0, third = 0] = day.split(/[-/.]/).map(Number);
	if (first > 31) return Date.UTC(first, second - 1, third);
	const year = third < 100 ? 2000 + third : third;
	const [date, month] = order === "month-first" ? [second, first] : [first, second];
	return month < 1 || month > 12 || date < 1 || date > 31 ? null : Date.UTC(year, month - 1, date);
}
