/**
 * Links a new memory to known ones by rules: the same words make a duplicate, another value makes an update, and more about the same thing
 * makes an extension.
 */

import { definePlugin, type Link, type Linking, type MemoryDraft, type MemoryLinker, type Neighbour } from "cairn-memory";
import { giveWay } from "cairn-memory/words";
import { z } from "zod";
import { isSameName } from "./owners.ts";
import { isOlder, replacingRule } from "./replaces.ts";
import { shared, significantWords } from "./significant-words.ts";
import type { Statement } from "./statement.ts";
import { cachedStatement } from "./statement-cache.ts";

const options = z.strictObject({
	/** The affinity from which a new statement about the same subject extends a known one. */
	extendsFrom: z.number().min(0).max(1).default(0.5),
});

/** A new memory extends only the nearest known ones, because everything about a subject adds to everything else. */
const extendsMax = 3;

type Options = z.output<typeof options>;

export default definePlugin({
	name: "memory-linker-similarity",
	contract: 1,
	options,
	start: (chosen) => ({ memoryLinker: [similarity(chosen)] }),
});

function similarity(chosen: Options): MemoryLinker {
	return {
		name: "similarity",
		link: async (draft, neighbours) => {
			const fresh = cachedStatement(draft);
			const known = neighbours
				.toSorted((a, b) => b.affinity - a.affinity)
				.filter(({ memory }) => memory.isLatest && !memory.isForgotten)
				.map(parsed);
			const premises = draft.isInference && draft.evidence.length > 1 ? premisesOf(draft, known) : [];
			if (premises.length > 0) return { links: premises, duplicateOf: null };
			const duplicate = known.find(({ old }) => saysNothingNew(fresh, old));
			if (duplicate !== undefined) return { links: [], duplicateOf: duplicate.neighbour.memory.id };
			return { links: linksOf(fresh, known, chosen), duplicateOf: null };
		},
	};
}

interface Known {
	readonly neighbour: Neighbour;
	readonly old: Statement;
}

function parsed(neighbour: Neighbour): Known {
	// To parse one takes a tenth of a millisecond, and a draft has dozens of neighbours.
	giveWay();
	return { neighbour, old: cachedStatement(neighbour.memory) };
}

/** A memory that was inferred from several places derives from the memories of these places. */
function premisesOf(draft: MemoryDraft, known: readonly Known[]): readonly Link[] {
	const isSaidThere = ({ neighbour: { memory } }: Known) =>
		!memory.isInference &&
		memory.evidence.some(({ chunk, span }) => draft.evidence.some((place) => place.chunk === chunk && place.span[0] === span[0] && place.span[1] === span[1]));
	return known.filter(isSaidThere).map(({ neighbour }) => ({ relation: "derives", target: neighbour.memory.id }));
}

/** The memory that the draft updates (by the surest rule, then by the most words in common, then the nearest), and those it extends. */
function linksOf(fresh: Statement, known: readonly Known[], { extendsFrom }: Options): Linking["links"] {
	const replaced = known
		.map((candidate) => {
			giveWay();
			return { candidate, rule: replacingRule(fresh, candidate.old) };
		})
		.filter(({ rule }) => rule >= 0)
		.sort((a, b) => a.rule - b.rule || shared(fresh.content, b.candidate.old.content) - shared(fresh.content, a.candidate.old.content))[0]?.candidate;
	const links: Link[] = replaced === undefined ? [] : [{ relation: "updates", target: replaced.neighbour.memory.id }];
	const added = known.filter((candidate) => candidate !== replaced && adds(fresh, candidate, extendsFrom)).slice(0, extendsMax);
	return [...links, ...added.map(({ neighbour }): Link => ({ relation: "extends", target: neighbour.memory.id }))];
}

/** Whether the new statement says more about the same subject: it has all words of the known one, or is near it. */
function adds(fresh: Statement, { neighbour, old }: Known, extendsFrom: number): boolean {
	if (isOlder(fresh, old)) return false;
	if (isThingIn(fresh, old)) return true;
	if (!isSameSubject(fresh, old)) return false;
	return hasAllOf(fresh, old) || (neighbour.affinity >= extendsFrom && sharesThing(fresh, old));
}

/**
 * Two sentences in the third person share their subject. Statements in people's own words must share a word too, because they are about many
 * things.
 */
function sharesThing({ parts, speaker }: Statement, old: Statement): boolean {
	if (speaker === null && old.speaker === null) return true;
	return parts.some(({ claim }) => old.parts.some((before) => shared(claim, before.claim) > 0));
}

/** Whether the new statement is about a thing in the known one: `Karl's boat is called Tern` after `Karl bought a boat`. */
function isThingIn({ subject }: Statement, old: Statement): boolean {
	if (subject === null || old.subject === null || !subject.startsWith(`${old.subject}'`)) return false;
	const [, owner, thing] = /^(.+?)'s? (.+)$/.exec(subject) ?? [];
	if (owner !== old.subject || thing === undefined) return false;
	const words = significantWords(thing);
	return words.length > 0 && words.every((word) => old.content.has(word));
}

/** Whether it has the same words as the known statement, or fewer: `lives in Berlin` after `lives in Berlin with Tom`. */
function saysNothingNew(fresh: Statement, old: Statement): boolean {
	if (fresh.topic !== old.topic) return false;
	if (fresh.speaker !== null && old.speaker !== null && fresh.speaker !== old.speaker) return false;
	if (fresh.subject !== null && old.subject !== null && !isSameSubject(fresh, old)) return false;
	if (fresh.eventTime !== null && old.eventTime !== null && fresh.eventTime.getTime() !== old.eventTime.getTime()) return false;
	return hasAllOf(old, fresh) && fresh.isNegated === old.isNegated && fresh.isPlan === old.isPlan && replacingRule(fresh, old) < 0;
}

/** Whether the first statement has all words of the second, which has some. */
function hasAllOf({ content: all }: Statement, { content }: Statement): boolean {
	for (const word of content) if (!all.has(word)) return false;
	return content.size > 0;
}

function isSameSubject(fresh: Statement, old: Statement): boolean {
	return isSameName(fresh.subject ?? fresh.speaker, old.subject ?? old.speaker);
}
