/** Converts publication dates, as web pages and front matter write them, to ISO 8601. */

const isoStart = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?/i;
const compact = /^(\d{4})(\d\d)(\d\d)$/;
const dayFirst = /(?:^|\s)(\d{1,2})(?:st|nd|rd|th)?\.?\s+([a-z]{3,9})\.?,?\s+(\d{4})/i;
const monthFirst = /(?:^|\s)([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})/i;
const clock = /\s(\d\d):(\d\d)(?::(\d\d))?\s*(GMT|UTC|Z|[+-]\d\d:?\d\d)\s*$/i;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A date and time if the time has a UTC offset, otherwise only the date. Null if the text is not a date. */
export function isoDate(raw: string): string | null {
	const text = raw.trim().slice(0, 80);
	const iso = isoStart.exec(text) ?? compact.exec(text);
	if (iso !== null) {
		const [, year = "", month = "", day = "", hour, minute, second = "00", offset] = iso;
		return isoMoment(year, Number(month), Number(day), hour === undefined || minute === undefined ? null : { hour, minute, second, offset });
	}
	const [, dayOne = "", monthOne = "", yearOne = ""] = dayFirst.exec(text) ?? [];
	const [, monthTwo = "", dayTwo = "", yearTwo = ""] = monthFirst.exec(text) ?? [];
	const month = months.indexOf((monthOne || monthTwo).slice(0, 3).toLowerCase()) + 1;
	const [, hour, minute, seconds = "00", offset] = clock.exec(text) ?? [];
	const time = hour === undefined || minute === undefined ? null : { hour, minute, second: seconds, offset };
	return month === 0 ? null : isoMoment(yearOne || yearTwo, month, Number(dayOne || dayTwo), time);
}

interface TimeOfDay {
	readonly hour: string;
	readonly minute: string;
	readonly second: string;
	readonly offset: string | undefined;
}

function isoMoment(year: string, month: number, day: number, time: TimeOfDay | null): string | null {
	const date = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
	const midnight = new Date(`${date}T00:00:00Z`);
	// `Date` would accept 30 February as 1 or 2 March.
	if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== day || Number(year) < 1000) return null;
	if (time?.offset === undefined) return date;
	const offset = /^[+-]/.test(time.offset) ? time.offset.replace(/^(...)(\d\d)$/, "$1:$2") : "Z";
	const instant = new Date(`${date}T${time.hour}:${time.minute}:${time.second}${offset}`);
	return Number.isNaN(instant.getTime()) ? date : instant.toISOString();
}
