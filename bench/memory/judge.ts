/** Holds what was remembered against the labels: what was found, what is junk, what is linked and versioned as it should be. */

import type { Memory } from "cairn-memory";
import { normalize } from "cairn-memory";
import type { LabelledFact, PlacedLine } from "./labelled-set.ts";
import type { Remembered } from "./remember-all.ts";

/** How many of how many. */
export interface Share {
	right: number;
	of: number;
}

export interface Verdict {
	readonly precision: Share;
	readonly recall: Share;
	/** Memories extracted from a line that states nothing. */
	readonly junk: Share;
	/** Lines without a fact that gave a memory all the same. */
	readonly junkLines: Share;
	readonly subjects: Share;
	readonly traits: Share;
	readonly dates: Share;
	readonly expiries: Share;
	/** Of the relations between facts that were both found, and of replacements that nobody asked for. */
	readonly links: Share;
	/** The latest are the latest, the replaced are not. */
	readonly versions: Share;
	readonly mistakes: string[];
}

interface JudgedMemory {
	readonly fact: LabelledFact;
	readonly sequence: string;
	readonly memory: Memory;
}

const share = (): Share => ({ right: 0, of: 0 });
/** A sentence that begins so leans on another one. */
const leaning = /^(?:he|she|it|they|his|her|its|their|i|we|my|our|this|that|these|those|there)\b/i;

export function judge(remembered: Remembered): Verdict {
	const verdict: Verdict = {
		precision: share(),
		recall: share(),
		junk: share(),
		junkLines: share(),
		subjects: share(),
		traits: share(),
		dates: share(),
		expiries: share(),
		links: share(),
		versions: share(),
		mistakes: [],
	};
	const found: JudgedMemory[] = [];
	for (const { id, sequence, lines } of remembered.documents) {
		const extracted = remembered.memories.flatMap((memory) => memory.evidence.filter(({ document }) => document === id).map(({ span }) => ({ memory, span })));
		const used = new Set<Memory>();
		const cited = (line: PlacedLine) => extracted.filter(({ span }) => span[0] < line.span[1] && span[1] > line.span[0]).map(({ memory }) => memory);
		for (const [i, line] of lines.entries()) {
			// A question is cited beside its answer, and is no junk then.
			const answers = line.text.includes("?") ? answersIn(lines[i + 1], cited) : new Set();
			const here = cited(line).filter((memory) => !answers.has(memory));
			const facts = line.facts ?? [];
			for (const fact of facts) {
				const memory = here.find((one) => states(one.text, fact));
				count(verdict.recall, memory !== undefined);
				if (memory === undefined) verdict.mistakes.push(`missed   ${sequence}: ${line.text}  →  ${here.map(({ text }) => text).join(" | ")}`);
				else found.push({ fact, sequence, memory });
				if (memory !== undefined) used.add(memory);
			}
			const isJunk = facts.length === 0 && line.isOptional !== true;
			if (isJunk) count(verdict.junkLines, here.length > 0);
			if (isJunk) for (const { text } of here) verdict.mistakes.push(`junk     ${sequence}: ${line.text}  →  ${text}`);
			if (line.isOptional === true) for (const memory of here) used.add(memory);
			count(verdict.junk, isJunk, here.length);
		}
		for (const memory of new Set(extracted.map(({ memory: one }) => one))) {
			count(verdict.precision, used.has(memory));
			if (!used.has(memory)) verdict.mistakes.push(`wrong    ${sequence}: ${memory.text}`);
		}
	}
	judgeTraits(found, verdict);
	judgeLinks(found, remembered, verdict);
	return verdict;
}

/** The memories that state a fact of the line. */
function answersIn(line: PlacedLine | undefined, cited: (line: PlacedLine) => readonly Memory[]): ReadonlySet<Memory> {
	if (line === undefined) return new Set();
	return new Set(cited(line).filter(({ text }) => (line.facts ?? []).some((fact) => states(text, fact))));
}

function count(into: Share, isRight: boolean, times = 1): void {
	into.of += times;
	if (isRight) into.right += times;
}

function states(text: string, { has }: LabelledFact): boolean {
	const plain = normalize(text).replaceAll("’", "'");
	return !leaning.test(text) && has.every((words) => words.split("/").some((word) => plain.includes(normalize(word))));
}

function judgeTraits(found: readonly JudgedMemory[], verdict: Verdict): void {
	for (const { fact, sequence, memory } of found) {
		const say = (what: string, wanted: unknown, got: unknown) =>
			verdict.mistakes.push(`${what.padEnd(8)} ${sequence}: ${memory.text}  wanted ${wanted}, got ${got}`);
		if (fact.subject !== undefined) {
			count(verdict.subjects, memory.subject === fact.subject);
			if (memory.subject !== fact.subject) say("subject", fact.subject, memory.subject);
		}
		if (fact.isStatic !== undefined) {
			count(verdict.traits, memory.isStatic === fact.isStatic);
			if (memory.isStatic !== fact.isStatic) say("static", fact.isStatic, memory.isStatic);
		}
		for (const [wanted, got, into] of [
			[fact.at, memory.eventTime, verdict.dates],
			[fact.until, memory.forgetAfter, verdict.expiries],
		] as const) {
			if (wanted === undefined) continue;
			const day = got?.toISOString().slice(0, 10);
			count(into, day === wanted);
			if (day !== wanted) say("date", wanted, day);
		}
	}
}

function judgeLinks(found: readonly JudgedMemory[], { edges, memories }: Remembered, verdict: Verdict): void {
	const byFact = new Map(found.map((one) => [`${one.sequence} ${one.fact.id}`, one]));
	const textOf = new Map(memories.map(({ id, text }) => [id, text]));
	const replaced = new Set(found.flatMap(({ fact, sequence }) => (fact.updates === undefined ? [] : [`${sequence} ${fact.updates}`])));
	const unasked = new Set(edges.filter(({ relation }) => relation === "updates"));
	for (const { fact, sequence, memory } of found) {
		const wanted = fact.updates ?? fact.extends ?? fact.same;
		const target = wanted === undefined ? undefined : byFact.get(`${sequence} ${wanted}`)?.memory;
		if (target !== undefined) {
			const relation = fact.updates === undefined ? "extends" : "updates";
			const edge = edges.find((one) => one.from === memory.id && one.to === target.id && one.relation === relation);
			const isRight = fact.same === undefined ? edge !== undefined : memory.id === target.id;
			if (edge !== undefined) unasked.delete(edge);
			count(verdict.links, isRight);
			if (!isRight) verdict.mistakes.push(`link     ${sequence}: ${memory.text}  should ${fact.same === undefined ? relation : "repeat"}  ${target.text}`);
		}
		if (fact.isPast === true) for (const edge of [...unasked]) if (edge.to === memory.id) unasked.delete(edge);
		const isLatest = fact.isPast !== true && !replaced.has(`${sequence} ${fact.id}`);
		count(verdict.versions, memory.isLatest === isLatest);
	}
	for (const { from, to } of unasked) {
		count(verdict.links, false);
		verdict.mistakes.push(`replaced ${textOf.get(to)}  by  ${textOf.get(from)}`);
	}
}
