/** Removes fillers from sentences: interjections and replies at the beginning and end, and the noise markers of transcripts. */

const openers =
	"how are you(?: doing)?(?: today)?|yes|yeah|yea|yep|yup|no(?! longer)|nope|nah|well|oh|wow|whoa|hey|hi|hello|hiya|cool|nice|great|good|awesome|neat|sweet|lovely|amazing|interesting|perfect|haha+|hehe|lol|ha|ok(?:ay)?|al(?:l )?right|sure|anyways?|actually|honestly|frankly|basically|(?:un)?fortunately|(?:un)?luckily|thankfully|hopefully|sadly|apparently|obviously|seriously|besides|btw|by the way|fyi|thanks(?: (?:so|very) much| a lot)?|thank you(?: (?:so|very) much)?|right|true|sorry|me too|same here|hm+|ah+|aw+|ugh|u[hm]+|man|dude|gosh|you know(?: what)?|i mean|let['’]s see|just so you know|(?:please )?remember(?: that)?|(?:please )?note(?: that)?|as (?:i|we) (?:said|mentioned|told you)(?: (?:before|earlier|already))?|of course|absolutely|definitely|exactly|totally|in fact|to be (?:honest|fair)|(?:good )?morning (?:all|everyone|team)|good (?:morning|afternoon|evening|night)(?: all| everyone)?|noted|got it|understood|so|and|but|also|plus|furthermore|however|therefore|thus|additionally|in addition|nevertheless|meanwhile";
/** Short replies such as `Yes, I do.` before a comma or a full stop. */
const shortReply =
	"i(?:['’]m| am) (?:doing )?(?:good|fine|great|well|ok|okay|alright)|i (?:do|did|have|am|was|can|will|agree|see|understand)(?:n['’]?t| not)?(?: too)?";
/** Openers are followed by a comma or a full stop, or by a new subject. */
const opener = new RegExp(
	String.raw`^(?:(?:hi|hello|hey|dear)(?: there)?(?: \p{L}+)?(?=[,!.])|${shortReply}(?=\s*[,.!;…—–])|${openers})(?:\s*[,.!;:…—–]+\s*|\s+-+\s+|\s+(?=(?:i|i['’](?:m|ve|ll|d)|my|we|our|(?:but|and|so|because|cause) (?:i|my|we)|(?:${openers})(?=[,.! ]))\b))`,
	"iu",
);
/** A question tag at the end of a statement: `…, do you?` */
const tailQuestion =
	/[,;.]?\s*(?:\b(?:and|but|so)\s+)?(?:\b(?:what|how|where|who|which|when|why|do|did|are|were|have|would|could|can|will|any)\b[^,.;?]*|\byou\b(?: too)?|\bright|\bhuh|\bisn['’]t it|\bno|\bok)\s*\?+\s*$/i;
const tailNoise = /(?:[,\s]*(?:\b(?:haha+|hahaha+|jaja+|lol|hehe|lmao|thanks|thank you|tho)\b|[:;]-?[()DP]|\p{Extended_Pictographic}\uFE0F?))+\s*(?=[.!]*$)/iu;
/** A cheap test before `tailNoise`. */
const tailSigns = /[:;\u0080-\uffff]|haha|jaja|lol|hehe|lmao|thank|tho/i;
/** Signs that the sentence is not meant seriously. */
const laughter = /\b(?:a?haha\w*|hehe\w*|jaja\w*|lol|lmao|rofl|jk|just kidding|(?:i['’]?m|just) (?:kidding|joking))\b|[:;]-?[)DP]|\p{Extended_Pictographic}/iu;
const openersMax = 6;
const tailCharacters = 60;

export function withoutFiller(text: string): string {
	let rest = text;
	for (let i = 0; i < openersMax; i++) {
		const [found] = opener.exec(rest) ?? [];
		if (found === undefined || found.length >= rest.length) break;
		rest = rest.slice(found.length);
	}
	if (rest.includes("?")) rest = rest.replace(tailQuestion, "").trim();
	const end = Math.max(0, rest.length - tailCharacters);
	const tail = rest.slice(end);
	return (tailSigns.test(tail) ? rest.slice(0, end) + tail.replace(tailNoise, "") : rest).trim();
}

/** A reaction before a statement of the speaker: `That's awesome, I'm a clean eater too`. */
const statementAfterReaction = /^([^.!?]{6,80}?)(?:[,;]|\s[–—-])?\s+(?:(?:and|but|so|plus)\s+)?((?:I|i|[Ii]['’](?:m|ve|ll|d)|im|my)\s.+)$/u;
/** A clause after one of these words depends on it. */
const needsContinuation =
	/\b(?:that|if|when|what|how|as|than|where|which|who|think|thought|wish|hope|know|said|say|says|like|feel|unless|until|before|after|while|whether|bet|guess|sure|and|all|thing|one|of|in|with|to|for|by|on|at)$/i;

/** The sentence from the speaker's own clause on; null if it is not certain that one begins. */
export function statementOf(text: string): string | null {
	const [, reaction = "", rest] = statementAfterReaction.exec(text) ?? [];
	return rest === undefined || needsContinuation.test(reaction) ? null : rest;
}

export function isLaughing(text: string): boolean {
	return laughter.test(text);
}

/** A cheap test before the expensive replacements. */
const transcriptSigns =
	/\{\p{Ll}+\}|\[\p{L}+\]| ['’]?(?:m|ve|re|s|d|ll|n['’]t)\b| [,.?!](?: |$)|\b(?:u+[hm]+|e+rm?|mm+|(?:gon|wan) na|got ta)\b|^(?:Mr|Mrs|Ms|Madam)\b|\b(\p{L}{1,4})(?: -)? \1\b/iu;
const marker = /(?<!\{)\{\p{Ll}+\}(?!\})|\[(?:laughter|laughs?|laughing|pause|noise|inaudible|unintelligible|crosstalk|music|applause|cough|sighs?)\]/giu;
const filler = /(^|(?<!\d)[ ,])(?:u+[hm]+|e+rm?|mm+|hm+)(?=[ ,.?!]|$)[ ,]*/giu;
/** Words repeated in hesitation. `had had` and `that that` are not included, because they may be intended. */
const stutter = /\b(I|I['’]m|I['’]ve|it['’]s|we|you|he|she|it|they|the|an?|to|of|in|on|and|but|so|if|my|our|your|is|are|this|with|for)(?:(?:,| -)? \1\b)+/giu;

/** Cleans a sentence of a transcript: `I I {pause} uh I 'm new , yes` becomes `I'm new, yes`. */
export function asSpoken(sentence: string): string {
	if (!transcriptSigns.test(sentence)) return sentence;
	return sentence
		.replace(marker, " ")
		.replace(/ (['’](?:m|ve|re|s|d|ll)|n['’]t)\b/gi, "$1")
		.replace(/\b(gon|wan|got) (na|ta)\b/gi, "$1$2")
		.replace(filler, "$1")
		.replace(/\s+/g, " ")
		.replace(/ +([,.?!])(?= |$)/g, "$1")
		.replace(stutter, "$1")
		.replace(/^(?:Mr|Mrs|Ms|Madam)\.? ?(?:Chair\p{L}*|Speaker|President),\s*/iu, "")
		.replace(/^[ ,]+/, "")
		.trim();
}
