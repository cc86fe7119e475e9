/** What people say in a talk that is true and worth nothing a day later, or says nothing at all. */

/** Whole statements, once the speaker's `I` stands in front. */
const idle: readonly (readonly [name: string, words: RegExp])[] = [
	[
		"a thought about the talk",
		/^I (?:have|had|have got) (?:an? |no |some |another )?(?:idea|clue|theory|question|feeling|thought|doubt|point|hunch|request|suggestion|problem|issue|favou?r)s?\b(?! with)/i,
	],
	["a slip", /^I (?:meant|misspoke|mistyped|was (?:just )?(?:kidding|joking|wondering))\b/i],
	["leaving", /^I(?:['’]ve| have| had)? (?:got to|gotta|have to|need to|must|should|better) (?:go|run|leave|head|get going|hang up|sleep)\b(?! to \p{Lu})/iu],
	[
		"a promise for now",
		/^I(?:['’]ll| will) (?:do (?:it|that|so)|(?:try|see|check|wait)(?=[.!]|$)|be (?:right )?(?:there|back)|keep (?:that|it|you)|think about|let|look|call you|text you|tell you|send (?:you|it))\b/i,
	],
	["an error report", /^I (?:get|got|see|am getting|keep getting|have) (?:this|an?|the following|the same) (?:error|message|warning|exception)\b/i],
	[
		"a wish to the other",
		/^I(?:['’]d| would) (?:like|love|want|appreciate|prefer)(?: it)?(?: for)? (?:you|if you)\b|^I (?:want|need|would like|expect) you\b/i,
	],
	["a wish for a visit", /^I(?:['’]d| would) love to\b(?: \w+)?[.!]*$/i],
	["a feeling of the minute", /^I (?:feel|am feeling) (?:so |very |much |really )?(?:better|good|great|fine|ok|okay|bad|sad|happy)\b/i],
	[
		"nothing named",
		/^(?:I|we) (?:did|do|have|had|saw|got|made|know|like|love|want|need|tried|fixed|found) (?:it|that|this|them|one|some|so|something|nothing|everything)\b[.!]*$/i,
	],
];
/** Over before anybody could look it up. */
const soonOver =
	/\bin (?:a|an|one|two|three|five|ten|fifteen|twenty|thirty|\d+) (?:minutes?|mins?|seconds?|secs?)\b|\bright now\b|\bin a (?:moment|second|sec|bit|while)\b/i;

export function isSmallTalk(statement: string): boolean {
	return soonOver.test(statement) || idle.some(([, words]) => words.test(statement));
}
