/** How single values are shown: states, scores, times, places in a source. */

import type { Place } from "../api/wire.ts";
import { wordsOfTime } from "./words-of-time.ts";

const stateWords: Readonly<Record<string, string>> = {
	waiting: "Waiting to be sent",
	sending: "Sending",
	queued: "Queued",
	extracting: "Reading",
	chunking: "Splitting",
	embedding: "Embedding",
	indexing: "Indexing",
	done: "Done",
	failed: "Failed",
};

export function wordsOfState(state: string): string {
	return stateWords[state] ?? state;
}

export function State({ state }: { readonly state: string }) {
	const look = state === "done" || state === "failed" ? state : "working";
	return (
		<span className={`state ${look}`}>
			<span aria-hidden="true" className="dot" />
			{wordsOfState(state)}
		</span>
	);
}

/** A relevance from 0 to 1, as a number and as a bar. */
export function Score({ score, of }: { readonly score: number; readonly of: string }) {
	return (
		<span className="score">
			<meter min={0} max={1} value={score} aria-label={`Relevance of ${of}`} />
			<span>{score.toFixed(2)}</span>
		</span>
	);
}

/** `3.4 MB`; whole numbers from 100 on. */
export function wordsOfBytes(bytes: number): string {
	const steps = ["kB", "MB", "GB", "TB"];
	const step = Math.min(steps.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10) - 1));
	const value = bytes / 2 ** (10 * (step + 1));
	return `${value < 100 ? value.toFixed(1) : Math.round(value)} ${steps[step]}`;
}

const units = [
	["day", 86_400_000],
	["hour", 3_600_000],
	["minute", 60_000],
] as const;
const ago = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const whole = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

export function When({ time }: { readonly time: string }) {
	const date = new Date(time);
	return (
		<time dateTime={time} title={whole.format(date)}>
			{inWords(date)}
		</time>
	);
}

/** `3 hours ago`; a date when it is more than a month ago. */
function inWords(date: Date): string {
	const distance = date.getTime() - Date.now();
	if (Math.abs(distance) > 31 * 86_400_000) return new Intl.DateTimeFormat("en", { dateStyle: "medium" }).format(date);
	const [unit, ms] = units.find(([, length]) => Math.abs(distance) >= length) ?? ["minute", 60_000];
	return Math.abs(distance) < 60_000 ? "just now" : ago.format(Math.round(distance / ms), unit);
}

/** `page 3 · Chapter › Section`, `row 12`, `2:10`; empty where the source has no places. */
export function wordsOfPlace(place: Place): string {
	if (place === null || place === undefined) return "";
	const { page, slide, sheet, row, seconds, headings = [], caption = "" } = place;
	const parts = [
		page === undefined ? "" : `page ${page}`,
		slide === undefined ? "" : `slide ${slide}`,
		sheet === undefined ? "" : `sheet ${sheet}`,
		row === undefined ? "" : `row ${row}`,
		seconds === undefined ? "" : wordsOfTime(seconds[0]),
	];
	return [parts.filter(Boolean).join(", "), headings.join(" › "), caption].filter(Boolean).join(" · ");
}

const numbers = new Intl.NumberFormat("en");

export function Count({ value }: { readonly value: number }) {
	return <>{wordsOfCount(value)}</>;
}

/** `10,000` */
export function wordsOfCount(count: number): string {
	return numbers.format(count);
}

/** `1 document`, `2 documents`, `3 memories` */
export function counted(count: number, one: string, many = `${one}s`): string {
	return `${wordsOfCount(count)} ${count === 1 ? one : many}`;
}
