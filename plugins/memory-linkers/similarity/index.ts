/** Links a new memory to its neighbours by rules: the same words are a duplicate, another value is an update, more about the same is an extension. */

import { definePlugin, type Link, type Linking, type MemoryDraft, type MemoryLinker, type Neighbour } from "cairn-memory";
import { z } from "zod";
import { statementOfKnown } from "./known-statements.ts";
import { isSameName } from "./owners.ts";
import { isOlder, replacingRule } from "./replaces.ts";
import type { Statement } from "./statement.ts";
import { shared, tellingWords } from "./telling-words.ts";

const options = z.strictObject({
	/** How near another statement about the same subject must be to belong to it. */
	extendsFrom: z.number().min(0).max(1).default(0.5),
});

/** Of everything that adds to everything about one subject the nearest. */
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
			const fresh = statementOfKnown(draft);
			const sorted = [...neighbours].sort((a, b) => b.affinity - a.affinity || (a.memory.id < b.memory.id ? -1 : 1));
			const known = sorted
				.filter(({ memory }) => memory.isLatest && !memory.isForgotten)
				.map((neighbour) => ({ neighbour, old: statementOfKnown(neighbour.memory) }));
			const premises = draft.isInference && draft.evidence.length > 1 ? premisesOf(draft, known) : [];
			if (premises.length > 0) return { links: premises, duplicateOf: null };
			const twin = known.find(({ old }) => saysNothingNew(fresh, old));
			if (twin !== undefined) return { links: [], duplicateOf: twin.neighbour.memory.id };
			return { links: linksOf(fresh, known, chosen), duplicateOf: null };
		},
	};
}

interface Known {
	readonly neighbour: Neighbour;
	readonly old: Statement;
}

/** A memory inferred from several places depends on the memories from these places. With one place there is no premise. */
function premisesOf(draft: MemoryDraft, known: readonly Known[]): readonly Link[] {
	const isSaidThere = ({ neighbour: { memory } }: Known) =>
		!memory.isInference &&
		memory.evidence.some(({ chunk, span }) => draft.evidence.some((one) => one.chunk === chunk && one.span[0] === span[0] && one.span[1] === span[1]));
	return known.filter(isSaidThere).map(({ neighbour }) => ({ relation: "derives", target: neighbour.memory.id }));
}

/** The one that the draft replaces, by the surest rule, the most words in common, and then the nearest, and the others it adds to. */
function linksOf(fresh: Statement, known: readonly Known[], { extendsFrom }: Options): Linking["links"] {
	const replaced = known
		.map((one) => ({ one, rule: replacingRule(fresh, one.old) }))
		.filter(({ rule }) => rule >= 0)
		.sort((a, b) => a.rule - b.rule || shared(fresh.content, b.one.old.content) - shared(fresh.content, a.one.old.content))[0]?.one;
	const links: Link[] = replaced === undefined ? [] : [{ relation: "updates", target: replaced.neighbour.memory.id }];
	const added = known.filter((one) => one !== replaced && adds(fresh, one, extendsFrom)).slice(0, extendsMax);
	return [...links, ...added.map(({ neighbour }): Link => ({ relation: "extends", target: neighbour.memory.id }))];
}

/** Something new about the same thing: of one owner, and near it or all of it. */
function adds(fresh: Statement, { neighbour, old }: Known, extendsFrom: number): boolean {
	if (isOlder(fresh, old)) return false;
	if (isThingIn(fresh, old)) return true;
	if (!isSameSubject(fresh, old)) return false;
	const keepsAll = old.content.size > 0 && [...old.content].every((word) => fresh.content.has(word));
	return keepsAll || (neighbour.affinity >= extendsFrom && sharesThing(fresh, old));
}

/** A sentence about somebody adds to another one about them. What people say in their own words is of many things. */
function sharesThing({ parts, speaker }: Statement, old: Statement): boolean {
	if (speaker === null && old.speaker === null) return true;
	return parts.some(({ claim }) => old.parts.some((before) => shared(claim, before.claim) > 0));
}

/** `Karl's boat is called Tern` after `Karl bought a boat`. */
function isThingIn({ subject }: Statement, old: Statement): boolean {
	const [, owner, thing] = /^(.+?)'s? (.+)$/.exec(subject ?? "") ?? [];
	if (owner === undefined || thing === undefined || old.subject !== owner) return false;
	const words = tellingWords(thing);
	return words.length > 0 && words.every((word) => old.content.has(word));
}

/** The same words, or fewer: `lives in Berlin` beside `lives in Berlin with Tom`. */
function saysNothingNew(fresh: Statement, old: Statement): boolean {
	if (fresh.content.size === 0 || fresh.isNegated !== old.isNegated || fresh.isPlan !== old.isPlan) return false;
	if (!isSameSubject(fresh, old) && fresh.subject !== null && old.subject !== null) return false;
	if (fresh.speaker !== null && old.speaker !== null && fresh.speaker !== old.speaker) return false;
	if (fresh.topic !== old.topic) return false;
	if (fresh.eventTime !== null && old.eventTime !== null && fresh.eventTime.getTime() !== old.eventTime.getTime()) return false;
	return [...fresh.content].every((word) => old.content.has(word)) && replacingRule(fresh, old) < 0;
}

function isSameSubject(fresh: Statement, old: Statement): boolean {
	return isSameName(fresh.subject ?? fresh.speaker, old.subject ?? old.speaker);
}
