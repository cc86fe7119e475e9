/** How a time within a source is shown. */

/** Where in a recording: `2:10`, `1:02:10`. A chat takes days: `day 76`. */
export function wordsOfTime(seconds: number): string {
	const days = Math.floor(seconds / 86_400);
	if (days > 0) return `day ${days + 1}`;
	const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
	const two = (value: number) => String(value).padStart(2, "0");
	return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
