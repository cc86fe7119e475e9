/** W3C timed text (TTML, DFXP) → cues. Times may be clock times, frames, ticks or offsets, relative to the parent element. */

import { readXml } from "../../xml/read-xml.ts";
import { attributeOf, elementByPath, elementsOf, isXmlElement, textOf, type XmlElement } from "../../xml/xml-element.ts";
import type { Cue, Cues } from "../cue.ts";
import { plainWords } from "./plain-words.ts";

interface Rates {
	readonly frame: number;
	readonly tick: number;
}

interface Around {
	readonly begin: number;
	readonly end: number | null;
	readonly speaker: string | null;
}

export function readTtml(bytes: Uint8Array): Cues {
	const root = readXml(bytes);
	if (root === null || root.name !== "tt") return { cues: [], warnings: [] };
	const frame = positive(attributeOf(root, "frameRate")) ?? 30;
	const rates: Rates = { frame: frame * multiplier(attributeOf(root, "frameRateMultiplier")), tick: positive(attributeOf(root, "tickRate")) ?? frame };
	const metadata = elementByPath(root, "head", "metadata");
	const agents = new Map(elementsOf(metadata, "agent").map((agent) => [attributeOf(agent, "id") ?? "", plainWords(textOf(elementByPath(agent, "name")))]));
	const cues: Cue[] = [];
	const visit = (element: XmlElement, around: Around) => {
		const own = within(element, around, rates, agents);
		if (element.name === "p") {
			const text = plainWords(wordsOf(element));
			if (text !== "") cues.push({ ...(isTimed(element) ? own : { ...own, ...timesInside(element, own, rates) }), text });
			return;
		}
		for (const child of elementsOf(element)) visit(child, own);
	};
	const body = elementByPath(root, "body");
	if (body !== null) visit(body, { begin: 0, end: null, speaker: null });
	return { cues, warnings: [], title: plainWords(textOf(elementByPath(metadata, "title"))) || null, language: attributeOf(root, "lang") };
}

function isTimed(element: XmlElement): boolean {
	return attributeOf(element, "begin") !== null;
}

function within(element: XmlElement, around: Around, rates: Rates, agents: ReadonlyMap<string, string>): Around {
	const begin = around.begin + (timeOf(attributeOf(element, "begin"), rates) ?? 0);
	const duration = timeOf(attributeOf(element, "dur"), rates);
	const end = timeOf(attributeOf(element, "end"), rates);
	const ends = duration !== null ? begin + duration : end !== null ? around.begin + end : around.end;
	return { begin, end: ends === null ? null : Math.max(begin, ends), speaker: agents.get(attributeOf(element, "agent") ?? "") || around.speaker };
}

/** The time of a paragraph that has none itself: from the first begin to the last end of its spans. */
function timesInside(element: XmlElement, own: Around, rates: Rates): Pick<Around, "begin" | "end"> {
	const timed = elementsOf(element, "span").filter(isTimed);
	const spans = timed.map((span) => within(span, own, rates, new Map()));
	const [first] = spans;
	return first === undefined ? own : { begin: first.begin, end: spans.at(-1)?.end ?? own.end };
}

function wordsOf(element: XmlElement): string {
	// A line feed in the source is a blank; `br` is a line break.
	return element.children
		.map((child) => {
			if (!isXmlElement(child)) return child.replace(/\s+/g, " ");
			if (child.name === "br") return "\n";
			return child.name === "metadata" ? "" : wordsOf(child);
		})
		.join("");
}

/** `00:00:01.5`, `00:00:01:12` in frames, `1.5s`, `250ms`, `36f`, `900t`. */
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
	const [above = Number.NaN, below = Number.NaN] = (text ?? "").trim().split(/\s+/, 2).map(Number);
	return above > 0 && below > 0 ? above / below : 1;
}

function positive(text: string | null): number | null {
	const value = Number(text ?? Number.NaN);
	return value > 0 && Number.isFinite(value) ? value : null;
}

function rounded(seconds: number): number {
	return Math.round(seconds * 1000) / 1000;
}
