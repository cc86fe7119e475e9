/** Parses times of cues (`01:02:03,450`, `02:03.45`) and time lines, which have two of them. */

const timePattern = String.raw`(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})(?:[.,:;](\d{1,9}))?`;
const timeLinePattern = new RegExp(String.raw`^\s*${timePattern}\s*(?:-{1,2}\s?>|[–—]>|→)\s*${timePattern}(?=\s|$)`);
const singleTimePattern = new RegExp(`^${timePattern}$`);

export interface TimeLine {
	readonly begin: number;
	readonly end: number;
}

/** The seconds of a time such as `1:02.5`; null if it is not a time. */
export function secondsOf(text: string): number | null {
	const parts = singleTimePattern.exec(text.trim());
	return parts === null ? null : seconds(parts[1], parts[2], parts[3], parts[4]);
}

/** Null if the line is not a time line. Settings after the times, such as positions, are ignored. */
export function timeLine(line: string): TimeLine | null {
	// This is checked first because it is fast, and most lines are text.
	if (!/[>→]/.test(line)) return null;
	const parts = timeLinePattern.exec(line);
	if (parts === null) return null;
	return { begin: seconds(parts[1], parts[2], parts[3], parts[4]), end: seconds(parts[5], parts[6], parts[7], parts[8]) };
}

/** Whether the line looks like a time line, even a malformed one: it has the arrow and begins with a digit. */
export function looksLikeTime(line: string): boolean {
	return /^\s{0,9}(?:\d.{0,30})?-->/.test(line);
}

function seconds(hours = "0", minutes = "0", wholeSeconds = "0", fraction = ""): number {
	const milliseconds = fraction === "" ? 0 : Math.round(Number(`0.${fraction}`) * 1000);
	return Number(hours) * 3600 + Number(minutes) * 60 + Number(wholeSeconds) + milliseconds / 1000;
}
