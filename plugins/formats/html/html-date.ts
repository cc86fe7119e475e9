/** Publication dates in the formats of web pages → ISO 8601; null when there is no date. */

const isoStart = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?/i;
const compact = /^(\d{4})(\d\d)(\d\d)$/;
const dayFirst = /(?:^|\s)(\d{1,2})(?:st|nd|rd|th)?\.?\s+([a-z]{3,9})\.?,?\s+(\d{4})/i;
const monthFirst = /(?:^|\s)([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})/i;
const clock = /\s(\d\d):(\d\d)(?::(\d\d))?\s*(GMT|UTC|Z|[+-]\d\d:?\d\d)\s*$/i;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** An instant where the time has a UTC offset, else only the day. */
export function isoDate(written: string): string | null {
	const text = written.trim().slice(0, 80);
	const iso = isoStart.exec(text) ?? compact.exec(text);
	if (iso !== null) {
		const [, year = "", month = "", day = "", hour, minute, second = "00", offset] = iso;
		return moment(year, Number(month), Number(day), hour === undefined || minute === undefined ? null : { hour, minute, second, offset });
	}
	const [, second = "", name = "", third = ""] = dayFirst.exec(text) ?? [];
	const [, otherName = "", otherDay = "", otherYear = ""] = monthFirst.exec(text) ?? [];
	const month = months.indexOf((name || otherName).slice(0, 3).toLowerCase()) + 1;
	const [, hour, minute, seconds = "00", offset] = clock.exec(text) ?? [];
	const time = hour === undefined || minute === undefined ? null : { hour, minute, second: seconds, offset };
	return month === 0 ? null : moment(third || otherYear, month, Number(second || otherDay), time);
}

interface Clock {
	readonly hour: string;
	readonly minute: string;
	readonly second: string;
	readonly offset: string | undefined;
}

function moment(year: string, month: number, day: number, time: Clock | null): string | null {
	const date = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
	const start = new Date(`${date}T00:00:00Z`);
	// The thirtieth of February would become the first of March.
	if (Number.isNaN(start.getTime()) || start.getUTCDate() !== day || Number(year) < 1000) return null;
	if (time?.offset === undefined) return date;
	const offset = /^[+-]/.test(time.offset) ? time.offset.replace(/^(...)(\d\d)$/, "$1:$2") : "Z";
	const instant = new Date(`${date}T${time.hour}:${time.minute}:${time.second}${offset}`);
	return Number.isNaN(instant.getTime()) ? date : instant.toISOString();
}
