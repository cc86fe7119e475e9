/** Generic `you`: `a rope in your hand`, `when you cook`. It is masked, so that it is not taken for the other speaker. */

/** With it the word is another word. */
const mask = "0";
const second = String.raw`you(?:r|rs|rself)?\b`;
/** Verbs after which `you` is that of a habit or a rule, and not of what the other did. */
const habit =
	"can|can['’]t|cannot|could|have to|need to|must|should|get(?: to)?|never|always|often|usually|don['’]t|do|want(?: to)?|go|make|feel|look|see|put|cook|burn|use|take|think|eat|know|try";
const knowing =
	"think|thought|know|knew|heard|hear|said|say|glad|hope|hoped|told|saw|remember|wish|bet|guess|sure|happy|believe|noticed|sorry|that|love|like|want|wants";
const anybodys =
	"own|body|hands?|head|face|eyes?|mind|heart|foot|feet|fingers?|skin|muscles?|brain|blood|nose|mouth|ears?|tooth|teeth|knees?|back|legs?|arms?|lungs?|stomach|soul|life|lifetime|dreams?|goals?|limits?|fears?|emotions|time|money|surroundings";
const patterns: readonly RegExp[] = [
	/\b(?:when|whenever|once|unless|until|as much as|as long as|as soon as|the more|the less)(?: you(?:['’]re|['’]ve)?)(?= (?!(?:were|did|had|went|told|said|was)\b|\w+ed\b))/giu,
	/\bif you(?:['’]re|['’]ve)?(?= (?!want\b|like\b|need\b|ever\b|wish\b|would\b|did\b|were\b))/giu,
	/\b(?:makes?|keeps?|lets|gives|helps|teaches|takes|costs?|gets|brings|shows|reminds|allows|leaves|hits|puts) you(?= \w)/giu,
	/(?<!\b(?:I|we) )\b(?:can|could|will|would|may|might) (?:really |also |just )?(?:make|keep|let|give|help|teach|take|cost|get|bring|show|remind|leave|hit|put|kill|drive|hurt) you(?= \w)/giu,
	new RegExp(`(?<!\\b(?:${knowing}),?) you(?= (?:${habit})\\b(?! \\w+ed\\b))`, "giu"),
	new RegExp(`\\b(?:in|on|with|of|from|for|to|through|at|into|around|all|over|behind|under|by) your(?= (?:${anybodys})\\b)`, "giu"),
	/\bbe(?:ing)? your(?:self)?\b(?= (?:own|true|best)\b|$|[.,])/giu,
];
const rest = new RegExp(`\\b${second}`, "giu");
const masked = new RegExp(`\\b(you(?:r|rs|rself)?)${mask}`, "giu");
/** A promise for when the other comes is about the other. */
const promised = /\b(?:I|we)(?:['’]ll| will)\b/i;

/** The text with each generic `you` marked; after one, the others of the same sentence are generic too. */
export function maskGenericYou(text: string): string {
	if (!/\byou/i.test(text) || promised.test(text)) return text;
	const from = Math.min(...patterns.map((words) => firstOf(text, words)));
	if (!Number.isFinite(from)) return text;
	return text.slice(0, from) + text.slice(from).replace(rest, (word) => `${word}${mask}`);
}

export function unmasked(text: string): string {
	return text.replace(masked, "$1");
}

/** Where the `you` of the first match begins. */
function firstOf(text: string, words: RegExp): number {
	for (const match of text.matchAll(words)) return match.index + match[0].toLowerCase().search(/\byou/);
	return Number.POSITIVE_INFINITY;
}
