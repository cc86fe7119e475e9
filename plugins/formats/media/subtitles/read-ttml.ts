/** Reads W3C timed text (TTML, DFXP). Times may be clock times, frames, ticks or offsets, and are relative to the parent element. */

import { readXml } from "../../xml/read-xml.ts";
import { attributeOf, elementByPath, elementsOf, isXmlElement, textOf, type XmlElement } from "../../xml/xml-element.ts";
import type { Cue, Cues } from "../cue.ts";
import { plainWords } from "./plain-words.ts";

/** Frames and ticks per second. */
interface Rates {
	readonly frame: number;
	readonly tick: number;
}

/** The times and the speaker that an element passes on to its children. */
interface Context {
	readonly begin: number;
	readonly end: number | null;
	readonly speaker: string | null;
}

export function readTtml(bytes: Uint8Array): Cues {
	const root = readXml(bytes);
	if (root === null || root.name !== "tt") return { cues: [], warnings: [] };
	const frame = positiveNumber(attributeOf(root, "frameRate")) ?? 30;
	const rates: Rates = { frame: frame * multiplier(attributeOf(root, "frameRateMultiplier")), tick: positiveNumber(attributeOf(root, "tickRate")) ?? frame };
	const metadata = elementByPath(root, "head", "metadata");
	const agents = new Map(elementsOf(metadata, "agent").map((agent) => [attributeOf(agent, "id") ?? "", plainWords(textOf(elementByPath(agent, "name")))]));
	const cues: Cue[] = [];
	const visit = (element: XmlElement, parent: Context) => {
		const context = contextOf(element, parent, rates, agents);
		if (element.name === "p") {
			const text = plainWords(elementText(element));
			if (text !== "") cues.push({ ...(isTimed(element) ? context : { ...context, ...timesOfSpans(element, context, rates) }), text });
			return;
		}
		for (const child of elementsOf(element)) visit(child, context);
	};
	const body = elementByPath(root, "body");
	if (body !== null) visit(body, { begin: 0, end: null, speaker: null });
	return { cues, warnings: [], title: plainWords(textOf(elementByPath(metadata, "title"))) || null, language: attributeOf(root, "lang") };
}

function isTimed(element: XmlElement): boolean {
	return attributeOf(element, "begin") !== null;
}

function contextOf(element: XmlElement, parent: Context, rates: Rates, agents: ReadonlyMap<string, string>): Context {
	const begin = parent.begin + (timeOf(attributeOf(element, "begin"), rates) ?? 0);
	const duration = timeOf(attributeOf(element, "dur"), rates);
	const end = timeOf(attributeOf(element, "end"), rates);
	const absoluteEnd = duration !== null ? begin + duration : end !== null ? parent.begin + end : parent.end;
	return { begin, end: absoluteEnd === null ? null : Math.max(begin, absoluteEnd), speaker: agents.get(attributeOf(element, "agent") ?? "") || parent.speaker };
}

/** The times of a paragraph that has none itself: from the begin of its first span to the end of its last. */
function timesOfSpans(element: XmlElement, context: Context, rates: Rates): Pick<Context, "begin" | "end"> {
	const timed = elementsOf(element, "span").filter(isTimed);
	const spans = timed.map((span) => contextOf(span, context, rates, new Map()));
	const [first] = spans;
	return first === undefined ? context : { begin: first.begin, end: spans.at(-1)?.end ?? context.end };
}

function elementText(element: XmlElement): string {
	// A line feed in the source is a space; `br` is a line break.
	return element.children
		.map((child) => {
			if (!isXmlElement(child)) return child.replace(/\s+/g, " ");
			if (child.name === "br") return "\n";
			return child.name === "metadata" ? "" : elementText(child);
		})
		.join("");
}

/** The seconds of a time: `00:00:01.5`, `00:00:01:12` (with frames), `1.5s`, `250ms`, `36f`, `900t`. Null for anything else. */
function timeOf(text: string | null, rates: Rates): number | null {
	if (text === null) return null;
	const clock = /^(\d{1,5}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)(?::(\d{1,4}(?:\.\d{1,4})?))?$/.exec(text.trim());
	if (clock !== null) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]) + Number(clock[4] ?? 0) / rates.frame;
	const [, count, unit] = /^(\d{1,15}(?:\.\d{1,9})?)(h|ms|m|s|f|t)$/.exec(text.trim()) ?? [];
	if (count === undefined || unit === undefined) return null;
	const seconds = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / rates.frame, t: 1 / rates.tick }[unit] ?? 1;
	return rounded(Number(count) * seconds);
}

function multiplier(text: string | null): number {
	const [numerator = Number.NaN, denominator = Number.NaN] = (text ?? "").trim().split(/\s+/, 2).map(Number);
	return numerator > 0 && denominator > 0 ? numerator / denominator : 1;
}

function positiveNumber(text: string | null): number | null {
	const value = Number(text ?? Number.NaN);
	return value > 0 && Number.isFinite(value) ? value : null;
}

function rounded(seconds: number): number {
	return Math.round(seconds * 1000) / 1000;
}
