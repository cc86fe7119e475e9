/**
 * The kind of answer that a question asks for, as far as its first words show: a time, a number, a place, a cause. A sentence that answers
 * "when is the dentist?" contains a time. Only questions in English are recognised.
 */

import type { EmbeddingSpace } from "../model/vector.ts";
import type { Hit } from "../ports/vector-search.ts";
import { type Candidate, withEvidence } from "./fuse.ts";

interface Kind {
	readonly asked: RegExp;
	readonly answered: RegExp;
}

const months = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const days = "mon|tues|wednes|thurs|fri|satur|sun|to|yester";
const spans = "seconds?|minutes?|hours?|days?|nights?|mornings?|evenings?|noon|midnight|weeks?|weekends?|months?|years?|century|spring|summer|autumn|winter";
const numbers = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|dozen|half|once|twice";
const measures = "much|many|old|long|far|big|large|heavy|high|tall|deep|wide|often|late|early";

const kinds: readonly Kind[] = [
	{
		asked: /^\W*(?:(?:since|until|till|by|from) )?(?:when\b|(?:in |on |at |for )?(?:what|which) (?:day|date|time|month|year|week|century)\b|how long\b)/i,
		answered: new RegExp(`\\d|\\b(?:(?:${days})day|${months}|tomorrow|tonight|${spans}|ago|since|until|soon|christmas|easter)\\b`, "i"),
	},
	{ asked: new RegExp(`\\b(?:how (?:${measures})|price|cost|costs|rent|number|age)\\b`, "i"), answered: new RegExp(`\\d|\\b(?:${numbers})\\b`, "i") },
	{
		asked: /^\W*(?:where\b|(?:in|at|from|to) (?:what|which) (?:city|town|country|place|state|room|street)\b)/i,
		answered: /\b(?:in|at|to|from|on|under|near|behind|into|inside|above|below|beside|next to)\s+(?:(?:the|a|an|my|his|her|our|your|their)\s+)?\p{L}{2}/iu,
	},
	{
		asked: /\bwhy\b|\bhow come\b|\bfor what reason\b/i,
		answered: /\b(?:because|'?cause|since|due to|so that|that's why|reason|therefore|in order to|as (?:she|he|they|it|i|we))\b/i,
	},
];

/** A longer query tells more than it asks, so no kind is looked for. */
const charactersMax = 120;
/** The date in "Ana (4 March 2026): …" does not answer a question for a time. */
const context = /^[^:\n]{1,100}: /;

/** @returns a test whether a text has what the query asks for; null if the kind is not known. */
export function kindAskedFor(query: string): ((text: string) => boolean) | null {
	const found = query.length > charactersMax ? undefined : kinds.find(({ asked }) => asked.test(query));
	return found === undefined ? null : (text) => found.answered.test(text.replace(context, ""));
}

/** Raises the scores of candidates that have what the query asks for, best first. @param holds from `kindAskedFor`; if it is null, nothing changes */
export function boostKindAskedFor<AnyHit extends Hit<string>>(
	candidates: readonly Candidate<AnyHit>[],
	holds: ((text: string) => boolean) | null,
	textOf: (id: AnyHit["id"]) => string | undefined,
	space: EmbeddingSpace,
): readonly Candidate<AnyHit>[] {
	if (holds === null) return candidates;
	return withEvidence(candidates, ({ hit }) => (holds(textOf(hit.id) ?? "") ? { kind: 1 } : null), space);
}
