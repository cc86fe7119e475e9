/** Infers new facts: a further memory from two memories of a document, and the sentence `Lives in …` from `moved to …`. */

import type { MemoryDraft } from "cairn-memory";

interface Rule {
	readonly first: RegExp;
	readonly second: RegExp;
	/** The inferred sentence, if `link` of both matches is the same name. */
	readonly conclude: (first: Readonly<Record<string, string>>, second: Readonly<Record<string, string>>) => string;
}

/** The confidence of an inference: lower than that of any statement. */
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

/** Infers memories from pairs of memories of one document, by simple rules. Both are the evidence. If several memories have the same link, the last one is used, such as the newest home. */
export function inferencesOf(drafts: readonly MemoryDraft[]): readonly MemoryDraft[] {
	const inferred: MemoryDraft[] = [];
	for (const { first, second, conclude } of rules) {
		const secondMatches = new Map<string, { readonly draft: MemoryDraft; readonly groups: Readonly<Record<string, string>> }>();
		for (const draft of drafts) {
			const groups = second.exec(draft.text)?.groups;
			if (groups?.["link"] !== undefined) secondMatches.set(groups["link"], { draft, groups });
		}
		if (secondMatches.size === 0) continue;
		for (const draft of drafts) {
			const groups = first.exec(draft.text)?.groups;
			const found = secondMatches.get(groups?.["link"] ?? "");
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

const movedTo =
	/(?<!\p{L})(?:moved|relocated) (?:(?:back|over|out|down|up|away|house|in|here|together|with \p{L}+|from \p{Lu}[\p{L}'’-]*) )*to (?:the )?(?<place>\p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*){0,3}|\d{1,5} \p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*){0,3})/u;
/** Words with which `moved to` means no move of a person: questions, negations, suppositions, events. */
const notAMove = /\?|(?<!\p{L})(?:not|never|if|would|might|could|meeting|deadline|date|launch|party)(?!\p{L})|n['’]t(?!\p{L})/iu;

/** `Lives in …` for a statement that somebody moved there, since questions about a home seldom contain `moved`. @returns an empty string for other statements */
export function newHome(text: string): string {
	const place = notAMove.test(text) ? undefined : movedTo.exec(text)?.groups?.["place"];
	return place === undefined ? "" : `Lives in ${place}.`;
}
