/** Recognises text in conversations that states no facts: logs, code, commands, templates, prompt injections, repeated memories, and small talk. */

/** Log lines. They are dropped as a whole, even if they seem to consist of several sentences. */
const logLine =
	/^\W*(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*\s+)?\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|CRITICAL)\]?\b[\s:]|^\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\b\w*(?:Error|Exception):\s|\bTraceback \(|\b(?:npm|yarn|pip) (?:ERR!|error)|^\s*(?:at \S+ ?\(|File ".*", line \d)/;
/** What a chat server tells: `=== ana has joined #boats`, `*** tom sets mode: +o`, `*** Quits: ana (Ping timeout)`, `* ana (ana@host) has left`, `ana, joining. (#boats)`. */
const serverEvent =
	/^\s*(?:[[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?\s+)?(?:-!-\s|(?:={3}|\*{3}|-{3}|-->|<--)\s+(?:\S.*\b)?(?:joined|joins|left|quits?|parts|parted|entered the room|now known as|sets? (?:the )?(?:mode|topic)|changed? the topic|kicked|log (?:opened|closed))\b|\*\s+\S{1,30} \([^()\s]{1,150}\) (?:has )?(?:joined|left|quit)\b|\S{1,30}, (?:joining|quitting|leaving)\.\s*\()/i;
/** What a program tells a chat of a repository: `[boats] ana pushed 2 new commits to main`, `boats/main 89c0c46 Ana: Mend the sail`, `r7045 | ana | …`. */
const commitLine = /\bpushed \d+ (?:new )?commits?\b|^\S+\/\S+ [0-9a-f]{7,40} |^r\d+ \| /;
const noisePatterns: readonly (readonly [name: string, words: RegExp])[] = [
	["failure", /\bE(?:CONN|NO|ACC|PIPE|TIMED)[A-Z]+\b/],
	[
		"command",
		/^\$?\s*(?:sudo|git|npm|npx|yarn|pnpm|bun|pip3?|docker|kubectl|curl|wget|cd|ls|mkdir|chmod|ssh|make|cargo|brew|apt(?:-get)?|systemctl)\s+[\w./-]+(?!\S*\s+(?:is|are|was|has)\b)/,
	],
	[
		"code",
		/[{};]\s*$|=>|^\s*[{[]\s*"[^"\n]{1,60}"\s*:|<\/?[a-z]+>|\w+\(\)|^\s*(?:(?:const|let|var)\s+\w+\s*=|(?:def|function|class)\s+\w+\s*[(:{]|import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*$|.*\bfrom\s+["'])|from\s+[\w.]+\s+import\b|#include\b)/,
	],
	["piece of a URL", /\w=\S*&\w+=|(?:%[0-9A-Fa-f]{2}\S*){2}/],
	["query", /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE|DROP TABLE)\b/],
	["template", /\{\{.*\}\}|\[(?:insert|your|name|date|company)\b[^\]]*\]|<(?:insert|your) [^>]*>|\blorem ipsum\b/i],
	["order", /\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:instructions?|prompts?|rules)\b|\bsystem prompt\b|^you are (?:an? |now )/i],
	[
		"read out",
		/^(?:relevant |known |recalled |stored |past |user )*(?:memories|memory|facts|context|profile)\s*:|\b(?:the user (?:has|is|lives|likes|prefers|works)\b.*\.\s*<\/)|\bbased on (?:what i remember|our previous|my memory)/i,
	],
	["fine print", /\b(?:all rights reserved|terms of (?:service|use)|privacy policy|cookies? policy|unsubscribe|view in browser)\b/i],
];

/** The tags of a block that gives an assistant known memories. They are not extracted again, since memories would then multiply. */
export const recallStart = /<(memor(?:y|ies)|context|supermemory[\w-]*|recalled?[\w-]*|user_?(?:profile|facts|memories))\b[^>]*>/i;
export const recallEnd = /<\/(?:memor(?:y|ies)|context|supermemory[\w-]*|recalled?[\w-]*|user_?(?:profile|facts|memories))>/i;

/** Only this many characters are inspected: noise is recognised at its beginning or is short, and patterns are slow on long texts. */
const inspectedCharacters = 300;

export function isNoise(sentence: string): boolean {
	if (sentence.length > inspectedCharacters) return false;
	return noisePatterns.some(([, words]) => words.test(sentence));
}

/** @param labelEnd where the words behind a name begin; what a server tells may look as if it had one: `*** Quits: …` */
export function isLogLine(line: string, labelEnd = 0): boolean {
	const words = line.slice(labelEnd, labelEnd + inspectedCharacters);
	return logLine.test(words) || serverEvent.test(words) || commitLine.test(words) || serverEvent.test(line.slice(0, inspectedCharacters));
}

const adverbs = "(?:just |really |also |still |so |only |totally |certainly |kind of |sort of |do |very |quite |pretty )*";
const workNouns =
	"functions?|array|query|string|variable|errors?|bugs?|exception|regex|loop|snippet|paragraph|sentence|text|prompt|title|headline|code|log|output|answer|summary|overview|explanation|favou?r|advice|help|reply|questions?|request|suggestions?|points?|idea|clue|thought|feeling|doubt|hunch|theory|issue|example|link|word";
const conversationNouns = "answer|questions?|suggestions?|points?|idea|thought|guess|thing|fact|truth|reason";

const idlePatterns: readonly RegExp[] = [
	/^(?:(?:good )?(?:morning|afternoon|evening)(?: \p{L}+){0,2}[.!,]?$|hi\b|hello|hey\b|hiya|bye|goodbye|good (?:morning|afternoon|evening|night|luck|point|idea|question|one)|welcome|congrat|cheers|thanks?\b|thank you|take care|see (?:you|ya)|talk (?:soon|to you)|have (?:a|fun)|enjoy|happy (?:birthday|new|to)|no (?:problem|worries|way|idea|clue|doubt)|my (?:pleasure|bad|condolences|apolog)|same here|me (?:too|neither)|you too|of course|sounds?|looks|seems|glad|nice to|it was (?:nice|great|good) (?:talking|chatting|to)|sorry|please (?:let|feel)|let me know|feel free|don['’]t worry|speaking of|good for|same to|kudos|wish (?:you|me)|hope)/iu,
	new RegExp(
		`^I(?:['’](?:m|ll|d|ve)| am| will| would| have| was| do| did| can| could| do not| don['’]?t| didn['’]?t| can['’]?t| couldn['’]?t| wouldn['’]?t)? ?${adverbs}(?:hope|bet|see(?= you| ya| what| why| how| that| your|[,.]|$)|apologi[sz]e|appreciate|wonder(?:ing)?|imagine|agree|understand|mean|hear|sorry|glad|happy (?:to|for|that)|(?:not )?(?:kidding|joking)|let you|get back|talk to you|look into|look it up|check (?:it|that|them)|try (?:it|that)|think so|believe (?:so|it|that)|be (?:right )?back|say that|blame|wait|thank|envy|jealous|envious|impressed|curious|sure (?:you|it|that|he|she|they)|care|mind)\\b`,
		"i",
	),
	/^I (?:totally |really |also )?(?:know|get|feel) (?:how|what|why|that|it|you|the feeling|ya)\b/i,
	new RegExp(
		`^I(?:['’]d| would)? ?${adverbs}(?:have|had|have got|need|want|get|got|see|could use|would like|would appreciate|pasted|attached|included|love) (?:an? |no |some |another |this |these |the |two |three |your |any )?(?:[a-z]+ ){0,2}?(?:${workNouns})\\b(?! with)`,
		"i",
	),
	/^I(?:['’]d| would)? (?:just )?(?:need|want|like|love|was hoping for|am looking for) (?:you\b|your help|help\b|some help)/i,
	/^I(?:['’]ve| have| had)? (?:got to|gotta|have to|need to|must|should|better) (?:go|run|leave|head (?:out|off)|get going|hang up|sleep)\b(?! to \p{Lu})/iu,
	/^(?:I|we) (?:did|do|have|saw|got|know|like|love|need|use) (?:too|it|that|this|them|nothing|everything)?[.!]*$/i,
	/^I (?:feel|am feeling|['’]m feeling) (?:so |very |much |really )?(?:better|good|great|fine|ok|okay|bad|sad|happy)\b/i,
	new RegExp(`^(?:my|the|that|this|here(?:['’]s| is)|these|those) (?:only |first |last |next |other |best |a |the )?(?:${conversationNouns})\\b(?!.*\\d)`, "i"),
	/^(?:you know|i see(?=[,.!]|$)|i guess|whatever|never mind|nevermind|go ahead|one (?:sec|moment|second)|let['’]?s\b|what (?:a|an)\b|how (?:\w+ )?(?:is|are|was|nice|cool|great|sad|awful|fun|exciting)|such (?:a|an)\b|so (?:cool|nice|sad|true|cute)|dunno|idk|(?:i(?:['’]ve)? )?(?:really |just |honestly )*(?:dunno|no (?:idea|clue)|not (?:quite |too |entirely |really )?sure|can['’]?t remember|don['’]?t know(?= (?:what|if|where|when|why|who|whether|how (?!to))|[.,!]|$))|not (?:a clue|sure|really|yet|at all))\b/i,
	/^(?:that|it|this|those|they|he|she)(?:['’](?:s|re)| is| are| was| were| sounds?| looks?| seems?| feels?| must be| would be| will be)(?: \p{L}+){0,2} (?:great|good|awesome|cool|nice|amazing|wonderful|fantastic|lovely|sad|awful|terrible|horrible|funny|hilarious|fun|cute|interesting|exciting|neat|sweet|perfect|true|right|fine|okay|ok|tough|hard|rough|bad|smart|crazy|weird|beautiful|impressive|understandable|important|unfortunate|impossible)\b(?!.*\d)/iu,
	/^(?:or )?(?:maybe|perhaps|possibly)\b(?!.*\d)/i,
	/^(?:everyone|everybody|people|life|nobody|no one)\b(?!.*\d)/i,
	/^or\b(?!.*\d)/i,
	/^(?:we all|you(?:['’]re| are)? (?:all )?(?:right|welcome|kidding|so|very|too|lucky|wouldn['’]t believe))\b(?!.*\d)/i,
	/^I(?: should| shouldn['’]?t|['’]d probably| would probably| was going to (?:say|tell|ask|suggest))\b(?!.*\d)/i,
	/^(?:that|it) (?:sounds|looks|seems) like\b(?!.*\d)/i,
	/^I know(?:,| but| right|[.!]|$)/i,
	/^(?:maybe|perhaps|possibly)[, ]+(?:we|it) (?:can|would)\b/i,
	/^we (?:should|could|can|might|would)\b(?!.*\d)/i,
	/\bI(?:['’]m| am) (?:so |very |really |pretty |quite )?(?:sure|glad|happy|sorry|certain)(?: that)? (?:you|to hear)\b/i,
	/\bin (?:a|an|one|two|three|five|ten|\d+) (?:minutes?|mins?|seconds?|secs?)\b(?!.*\b(?:away|walk|drive|from)\b)|\bin a (?:moment|second|sec|bit)\b/i,
];
const opinionStart = /^(?:i|we) (?:just |really |also |still )*(?:think|thought|guess|believe|suppose|feel like|reckon|figured?)(?: that)? /i;

/** Whether a statement means nothing a day later: a greeting, thanks, a wish, a reaction, or a remark about the conversation. */
export function isIdle(statement: string): boolean {
	return idlePatterns.some((words) => words.test(statement));
}

/** Removes an introduction such as `I think`: `I think the ferry leaves at nine` → `the ferry leaves at nine`. */
export function withoutOpinionStart(statement: string): string {
	return statement.replace(opinionStart, "");
}
