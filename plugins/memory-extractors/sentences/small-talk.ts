/** What people say in a talk that is true and worth nothing a day later, or says nothing at all. */

const often = "(?:just |really |also |still |so |only |totally |certainly |kind of |sort of )*";
const talkThings =
	"points?|things?|truth|fact|reason|idea|same|rest|others?|above|following|answer|output|input|text|code|link|question|response|reply|results?|error|bug|message|weather|tone|paragraph|sentence|wording|title|headline|summary|function|method|query|script|snippet|prompt|(?:first|second|third|last|next) (?:one|paragraph|sentence|part|line|version|option|example|point|step)|more|less|sooner|pleasure|best part|main thing|only thing";
const workThings =
	"function|array|query|string|variable|error|bug|exception|regex|loop|snippet|versions?|paragraph|sentence|text|prompt|title|code|log|output|answer|summary|overview|explanation|favou?r|advice|help|reply|question|request|suggestion|point|idea|clue|theory|thought|feeling|doubt|hunch|problem|issue";

/** Whole statements, once the speaker's `I` stands in front. */
const idle: readonly (readonly [name: string, words: RegExp])[] = [
	["the talk's own things", new RegExp(`^the (?:${talkThings})\\b(?!.* (?:is|are|was) \\d)`, "i")],
	[
		"my part of the talk",
		/^my (?:question|guess|point|bad|pleasure|apolog(?:y|ies)|mistake|fault|request|suggestion|thoughts?|opinion|prompt|code|text|condolences|compliments)\b/i,
	],
	[
		"something to work on",
		new RegExp(
			`^I ${often}(?:have|had|have got|need|want|get|got|see|could use|would like|would appreciate|pasted|attached|included) (?:an? |no |some |another |this |these |the |two |three |your )?(?:[a-z]+ ){0,2}?(?:${workThings})\\b(?! with)`,
			"i",
		),
	],
	["nothing to work on", /^I (?:have|had) (?:nothing|no (?:preference|objections?|idea|comment|clue)|the following)\b/i],
	[
		"trying things out",
		/^I (?:ran|run|tried|executed|installed|called|clicked|pressed|changed|expected|fixed|restarted|rebooted|added|removed|pasted|copied) (?:it|this|that|them|the (?:command|code|script|tests?|line|button|result|server|output|page|same)|all of)\b/i,
	],
	[
		"what is wanted of the other",
		new RegExp(
			`^I ${often}(?:want|need|would like|wanted|would love|was hoping|am hoping|expect|am trying|have been meaning|am asking|was asking|was going|was wondering|am wondering)(?: (?:to (?:know|understand|learn (?:how|more)|ask|say|check|see|hear|figure|get|fix|find|thank|make sure|let|point|add|clarify|confirm)\\b|you\\b|for\\b|if\\b)| the (?:${talkThings})\\b)`,
			"i",
		),
	],
	[
		"thinking aloud",
		new RegExp(
			`^I ${often}(?:do(?:n['’]t| not) |did(?:n['’]t| not) |never |was |am |would(?:n['’]t| not) |could(?:n['’]t| not) |can(?:['’]t|not) |should |have to |must |had )?${often}(?:think(?:ing)? (?:that|this|it|so|you|we|the same)|thought (?:so|it|you|that)|believe (?:it|that|so|this)|(?:mean|meant|said|say) (?:it|that|so|this|to)|wonder(?:ing)?|admit|forgot (?:what|to)|feel the same|worry about (?:it|that)|agree|mind(?: at all)?$|take it back|rest my case|(?:hear|heard) (?:you|that)|about to|hardly wait|wait|talk|get going|miss (?:you|it))\\b`,
			"i",
		),
	],
	[
		"said to the other",
		/^I (?:just |really |also )?(?:saw|read|got|received|like|love|liked|loved|wish|miss|thank|trust|believe|owe|told|hear|understand|asked|forgive|enjoyed) (?:you(?! (?:about|that) my)|your (?:message|note|e-?mail|reply|picture|photo|post|comment|question|point|help|idea|work|new|opinion|suggestion|company))\b(?!.*\d)/i,
	],
	[
		"a promise for now",
		/^I(?:['’]ll| will| am going to) (?:do (?:it|that|so)|(?:try|see|check|wait)(?=[.!]|$)|be (?:right )?(?:there|back)|keep (?:that|it|you|my fingers)|think about|let|look|call you|text you|tell you|send (?:you|it)|get back|pass (?:it|the|that)|ask (?:him|her|them|around))\b/i,
	],
	[
		"fellow feeling",
		/^(?:I (?:totally |really |also )?know (?:how|what|why) (?:that|it|you|this)\b|I am (?:so |really |very |just |absolutely )*(?:impressed|jealous|envious|amazed|loving (?:it|this|that)|enjoying (?:it|this|that))[.!]*$|(?:I|we) (?:am|are|have been) doing (?:so |pretty |very |really |just )*(?:good|well|great|fine|ok|okay|alright)\b)/i,
	],
	["a slip", /^I (?:misspoke|mistyped|meant\b|was (?:just )?(?:kidding|joking))/i],
	[
		"where one is right now",
		/^I(?: am|['’]m) (?:all ears|on (?:my|the) way|in the middle of|looking forward|in a hurry|kind of busy|about to|almost (?:there|done))\b/i,
	],
	["leaving", /^I(?:['’]ve| have| had)? (?:got to|gotta|have to|need to|must|should|better) (?:go|run|leave|head|get going|hang up|sleep)\b(?! to \p{Lu})/iu],
	["a suggestion", /^we (?:should|could|can|might|would|will see|need to talk|will (?:see|figure|talk|manage)|['’]ll (?:see|figure|talk|manage))\b/i],
	["a wish for a visit", /^I(?:['’]d| would) love to\b(?: \w+)?[.!]*$/i],
	["good wishes", /^I (?:have|like) (?:a (?:nice|great|good|lovely|safe|wonderful|fun|pleasant|log|charm|dream)|fun)\b(?! \w+ (?:named|called|in|with))/i],
	["a feeling of the minute", /^I (?:feel|am feeling) (?:so |very |much |really )?(?:better|good|great|fine|ok|okay|bad|sad|happy)\b/i],
	[
		"nothing named",
		/^(?:I|we) (?:did|do|have|had|saw|got|made|know|like|love|want|need|tried|fixed|found|use|used) (?:it|that|this|them|one|some|so|something|nothing|everything)\b[.!]*$/i,
	],
];
const contractions: readonly (readonly [short: RegExp, long: string])[] = [
	[/^(I|we)['’]m\b/i, "$1 am"],
	[/^(I|we)['’]re\b/i, "$1 are"],
	[/^(I|we)['’]d\b/i, "$1 would"],
	[/^(I|we)['’]ll\b/i, "$1 will"],
	[/^(I|we)['’]ve\b/i, "$1 have"],
];
/** Over too soon to be worth remembering. */
const soonOver =
	/\bin (?:a|an|one|two|three|five|ten|fifteen|twenty|thirty|\d+) (?:minutes?|mins?|seconds?|secs?)\b|\bright now\b|\bin a (?:moment|second|sec|bit|while)\b/i;

export function isSmallTalk(statement: string): boolean {
	const spelled = contractions.reduce((text, [short, long]) => text.replace(short, long), statement);
	return soonOver.test(spelled) || idle.some(([, words]) => words.test(spelled));
}
