/** What follows from what is said: a memory from two of one document, and from a move where somebody lives. */

import type { MemoryDraft } from "cairn-memory";

interface Rule {
	readonly first: RegExp;
	readonly second: RegExp;
	/** What follows, when `link` of both is the same name. */
	readonly conclude: (first: Readonly<Record<string, string>>, second: Readonly<Record<string, string>>) => string;
}

/** Surer than a guess, and less sure than what was said. */
const confidence = 0.5;
const name = String.raw`\p{Lu}[\p{L}\p{N}.’-]*(?: \p{Lu}[\p{L}\p{N}.’-]*){0,3}`;
const rules: readonly Rule[] = [
	{
		first: new RegExp(String.raw`^(?<who>${name}) (?:now )?works (?:as [\p{L} -]+ )?(?:at|for) (?<link>${name})\.$`, "u"),
		second: new RegExp(String.raw`^(?<link>${name}) is (?:based|located) in (?<place>${name})\.$`, "u"),
		conclude: ({ who }, { place }) => `${who} works in ${place}.`,
	},
	{
		first: new RegExp(String.raw`^(?<link>${name}) lives with (?:[\p{L}'’]+ [\p{L}-]+ )?(?<who>${name})\.$`, "u"),
		second: new RegExp(String.raw`^(?<link>${name}) (?:lives|moved) (?:in|to) (?<place>${name})(?: and lives there)?\.$`, "u"),
		conclude: ({ who }, { place }) => `${who} lives in ${place}.`,
	},
];

/** A memory from two memories of one document, by a simple rule. Both are its evidence. Later statements stand first among equals, so that the newer home is the one that is inferred from. */
export function inferencesOf(drafts: readonly MemoryDraft[]): readonly MemoryDraft[] {
	const inferred: MemoryDraft[] = [];
	for (const { first, second, conclude } of rules) {
		const places = new Map<string, { readonly draft: MemoryDraft; readonly groups: Readonly<Record<string, string>> }>();
		for (const draft of drafts) {
			const groups = second.exec(draft.text)?.groups;
			if (groups?.["link"] !== undefined) places.set(groups["link"], { draft, groups });
		}
		if (places.size === 0) continue;
		for (const draft of drafts) {
			const groups = first.exec(draft.text)?.groups;
			const found = places.get(groups?.["link"] ?? "");
			if (groups !== undefined && found !== undefined) inferred.push(inference(conclude(groups, found.groups), draft, found.draft));
		}
	}
	return inferred.filter(({ text }) => !drafts.some((draft) => draft.text === text));
}

function inference(text: string, one: MemoryDraft, other: MemoryDraft): MemoryDraft {
	return {
		text,
		isStatic: one.isStatic && other.isStatic,
		isInference: true,
		confidence: Math.min(confidence, one.confidence, other.confidence),
		subject: text.split(/ (?:works|lives) /)[0]?.toLowerCase() ?? null,
		eventTime: null,
		forgetAfter: null,
		evidence: [...one.evidence, ...other.evidence],
	};
}

const moved =
	/(?<!\p{L})(?:moved|relocated) (?:(?:back|over|out|down|up|away|house|in|here|together|with \p{L}+|from \p{Lu}[\p{L}'’-]*) )*to (?:the )?(?<place>\p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*){0,3}|\d{1,5} \p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*){0,3})/u;
/** Nobody's, not done, or not of persons. */
const otherwise = /\?|(?<!\p{L})(?:not|never|if|would|might|could|meeting|deadline|date|launch|party)(?!\p{L})|n['’]t(?!\p{L})/iu;

/** Who moved somewhere lives there: a question about where somebody lives seldom says `moved`. @returns what a statement says of a home without saying it; empty where it says nothing. */
export function newHome(text: string): string {
	const place = otherwise.test(text) ? undefined : moved.exec(text)?.groups?.["place"];
	return place === undefined ? "" : `Lives in ${place}.`;
}
