/** Converts YouTube's three caption formats (JSON and two XML formats) to WebVTT, which the extractor for subtitles reads. */

import { z } from "zod";
import { decodeEntity } from "../post-html.ts";

interface Cue {
	/** Milliseconds. */
	readonly begin: number;
	readonly end: number;
	readonly text: string;
}

const json3 = z.object({
	events: z.array(
		z.object({ tStartMs: z.number().optional(), dDurationMs: z.number().optional(), segs: z.array(z.object({ utf8: z.string().optional() })).optional() }),
	),
});

/** @returns null for another format, and for empty captions */
export function webVtt(body: string): string | null {
	if (body.trimStart().startsWith("WEBVTT")) return body.includes("-->") ? body : null;
	const cues = cuesOf(body).filter(({ text }) => text !== "");
	if (cues.length === 0) return null;
	// Automatic captions overlap the next cue, so they end where it begins.
	const lines = cues.map(({ begin, end, text }, i) => {
		const cueEnd = Math.max(begin + 1, Math.min(end, Math.max(cues[i + 1]?.begin ?? end, begin + 1)));
		return `${formatTime(begin)} --> ${formatTime(cueEnd)}\n${escapeText(text)}\n`;
	});
	return `WEBVTT\n\n${lines.join("\n")}`;
}

function cuesOf(body: string): readonly Cue[] {
	if (body.trimStart().startsWith("<")) return cuesOfXml(body);
	const events = parseJson(body)?.events ?? [];
	return events.map(({ tStartMs = 0, dDurationMs = 0, segs = [] }) => ({
		begin: tStartMs,
		end: tStartMs + dDurationMs,
		text: cleanWhitespace(segs.map(({ utf8 = "" }) => utf8).join("")),
	}));
}

function parseJson(body: string): z.output<typeof json3> | null {
	try {
		return json3.safeParse(JSON.parse(body)).data ?? null;
	} catch {
		return null;
	}
}

/** A cue in XML: `<text start="1.5" dur="2">` in seconds, or `<p t="1500" d="2000">` in milliseconds. */
const xmlCue = /<(?:text|p)\b([^<>]*)>((?:[^<]|<(?!\/?(?:text|p)\b))*)/g;

function cuesOfXml(body: string): readonly Cue[] {
	return [...body.matchAll(xmlCue)].map(([, attributes = "", inner = ""]) => {
		const number = (name: string) => Number(new RegExp(`\\b${name}="([\\d.]+)"`).exec(attributes)?.[1] ?? Number.NaN);
		const begin = Number.isNaN(number("t")) ? number("start") * 1_000 : number("t");
		const length = Number.isNaN(number("d")) ? number("dur") * 1_000 : number("d");
		const safeBegin = Number.isNaN(begin) ? 0 : begin;
		// The text is escaped twice: as HTML and as XML.
		return {
			begin: safeBegin,
			end: safeBegin + (Number.isNaN(length) ? 0 : length),
			text: cleanWhitespace(decodeEntities(decodeEntities(inner.replace(/<[^<>]*>/g, "")))),
		};
	});
}

function decodeEntities(text: string): string {
	return text.replace(/&(#?[a-z0-9]{1,31});/gi, (match, name: string) => decodeEntity(name) ?? match);
}

/** Cleans white space, and removes empty lines, which would end the cue. */
function cleanWhitespace(text: string): string {
	return text
		.replace(/[^\S\n]+/g, " ")
		.replace(/ ?\n[\s]*/g, "\n")
		.trim()
		.toWellFormed();
}

function escapeText(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function formatTime(ms: number): string {
	const roundedMs = Math.max(0, Math.round(ms));
	const twoDigits = (value: number) => String(value).padStart(2, "0");
	const seconds = Math.floor(roundedMs / 1_000);
	return `${twoDigits(Math.floor(seconds / 3_600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}.${String(roundedMs % 1_000).padStart(3, "0")}`;
}
