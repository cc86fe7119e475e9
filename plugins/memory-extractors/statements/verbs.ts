/** What a finite English verb looks like: word lists and the endings that follow from them. */

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter((word) => word !== ""));

/** Forms of be, have, do and the modals, with their contractions. */
export const auxiliaries = wordSet(
	`am is are was were isn't aren't wasn't weren't ain't have has had haven't hasn't hadn't do does did don't doesn't didn't will would shall should can could
	may might must cannot can't won't wouldn't couldn't shouldn't mustn't needn't`,
);
/** Auxiliaries that are the same for every person. */
export const modals = wordSet(
	"will would shall should can could may might must cannot can't won't wouldn't couldn't shouldn't mustn't needn't had hadn't did didn't was wasn't",
);
/** Adverbs that stand between a subject and its verb. */
export const middleAdverbs = wordSet(
	`just also really always never usually often sometimes still now currently recently already even only mostly actually definitely absolutely honestly
	personally rather too not ever almost probably generally typically rarely seldom finally once first both all simply quite kinda pretty totally
	constantly normally once soon then maybe perhaps especially mainly regularly primarily basically literally truly either however therefore though`,
);

/** Base forms that are common in everyday statements. Nouns such as `work` are among them: context decides. */
const baseForms = wordSet(
	`accept ache act add adopt adore agree aim allow announce answer appear apply appreciate approve arrive ask assist attend avoid bake base be become
	begin believe belong bike bite blog book borrow break bring build burn buy call camp can care carry cause change chat check choose clean climb close coach
	code collect come commute compete complete compose confirm connect consider consist contain continue control cook cost count cover craft create
	cut cycle dance date deal decide deliver depend describe design despise develop die direct discover dislike divide do donate drag draw dream drink
	drive earn eat employ enable end engage enjoy enter establish exercise exist expect explain export extend fail fall farm fear feed feel fight find
	finish fish fit fix fly focus follow forget form found garden generate get give go golf graduate grow guide handle hang happen hate have head help
	hike hire hold host hunt identify import improve include increase inherit install instruct intend introduce invest invite jog join keep kill
	knit know lack lead learn leave lend let lie lift like limit link listen live look lose love maintain make manage marry mean measure meet mentor
	mind miss move name need observe offer open operate order organize organise own paint park participate pass pay perform pick plan plant play
	practice practise prefer prepare present prevent produce program promise protect prove provide publish pull push put quit race raise reach
	read receive recommend record reduce refer refuse regret relax remain remember rent repair replace report represent require resent respect rest
	result retire return ride run sail save say schedule see seem sell send serve set sew share shop show sing sit skate ski sleep smell smoke
	snowboard speak specialise specialize spend stand start stay stop store struggle study suffer suggest supply support surf swim take talk teach
	tell tend think throw train translate travel treat try turn type understand use visit volunteer vote wait wake walk want warn wash
	watch wear weigh win wish wonder work worry worship wrestle write yearn resign elect prescribe rise separate expire deploy upgrade merge migrate review approve heal
	renew cancel postpone owe mend lecture chair emigrate inspect edit knock gather celebrate
	coordinate oversee supervise snore`,
);
/** Irregular past forms and participles. */
const irregularPastForms = wordSet(
	`was were had did went gone got gotten made took taken came became begun began left lost met moved paid said saw seen sent sold sat slept spoke
	spoken spent stood taught told thought threw thrown understood woke wore won wrote written ate eaten fell fallen felt found fought flew flown
	forgot forgotten gave given grew grown heard held kept knew known laid led learnt lay let lit meant rode ridden ran rang sang sung sank shot
	shown shut broke broken brought built bought caught chose chosen dealt drew drawn drank drunk drove driven dreamt fed bound bred born hung hid hidden hurt
	stole stolen struck stuck swore sworn swam swum swept tore torn overcame rose risen sought shook spun split spread stung laid withdrew agreed freed quit`,
);
/** Verbs with the same form in the present and the past; only the rest of the sentence shows which it is. */
const sameInPast = wordSet("put cut set let hit cost read hurt bet spread shut beat");
const determiners = wordSet("a an the my your his her its our their this that these those some any no every each to of in on at for with by from and");
const functionWords = wordSet(
	`a an the and or but nor so yet if because since while when where who whom whose which what that this these those i you he she it we they me him
	her us them my your his its our their mine yours in on at for with by from to of into onto over under about after before as than`,
);

/** Base forms that are often nouns too: `work and travel`. */
const alsoNouns = wordSet(
	`ache act answer attempt bike blog book break build call camp care cause chat check climb coach code control cook cost cover craft cycle dance date deal
	design dream drink drive end exercise farm fear feed feel fight find finish fish fit fix fly focus form garden golf guide hand head help hike hold host
	increase intend invite jog kick lead lie lift like limit link live look lose love measure mind move name need offer order own park pass pay pick plan
	plant play practice present produce program promise race raise reach read record regret rent repair replace report request respect rest result return
	ride run sail save say schedule sense set share shop show skate ski sleep smell smoke snowboard spend stand start stay stop store struggle study supply
	support surf swim talk tear tend think throw train travel treat try turn type use visit volunteer vote wait wake walk wash watch weigh win wish wonder work worry wrestle write`,
);

/** Whether a base form is always a verb and never a noun. */
export function isOnlyVerb(word: string): boolean {
	return baseForms.has(word) && !alsoNouns.has(word);
}

export function isBaseForm(word: string): boolean {
	return baseForms.has(word);
}

export function isPastForm(word: string): boolean {
	return irregularPastForms.has(word) || (word.length > 3 && word.endsWith("ed") && !word.endsWith("eed"));
}

export function isSameInPast(word: string): boolean {
	return sameInPast.has(word);
}

export function isAdverb(word: string): boolean {
	return middleAdverbs.has(word) || (word.length > 4 && word.endsWith("ly") && !baseForms.has(word));
}

/** Whether a word can be a verb in its base form at all, known or not. */
export function canBeVerb(word: string): boolean {
	return /^[a-z]+$/.test(word) && !functionWords.has(word);
}

/** The third person singular: `go` → `goes`, `study` → `studies`, `live` → `lives`. */
export function thirdPersonOf(base: string): string {
	if (base === "have") return "has";
	if (base === "be") return "is";
	if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ies`;
	return /(?:s|x|z|ch|sh|o)$/.test(base) ? `${base}es` : `${base}s`;
}

const thirdForms: ReadonlySet<string> = new Set([...baseForms].map(thirdPersonOf));

/** Whether the word is a verb in the third person singular: `lives`, `studies`. */
export function isThirdPerson(word: string): boolean {
	return thirdForms.has(word);
}

/** Words that, after a noun with `'s`, show that it means `is` and not possession: `my hair's in braids`. */
const afterIs =
	/^(?:an?|the|in|on|at|under|near|behind|with|from|not|off|out|over|back|gone|been|getting|going|called|done|now|still|always|never|here|there)$/;

/** The index of the first finite verb among lower-case words; -1 if there is none, that is, for a fragment. */
export function finiteVerbAt(words: readonly string[]): number {
	for (const [i, word] of words.entries()) {
		const before = words[i - 1] ?? "";
		if (auxiliaries.has(word) || /^(?:i|you|we|they|he|she|it|that|there|who|what)['’](?:m|re|ve|ll|d|s)$/.test(word)) return i;
		if (/['’]s$/.test(word) && afterIs.test(words[i + 1] ?? "")) return i;
		if (i === 0 || determiners.has(before)) continue;
		if (isPastForm(word) || isSameInPast(word) || thirdForms.has(word)) return i;
		if (baseForms.has(word) && /^(?:i|you|we|they|who|people|s|.*[^s']s)$/.test(isAdverb(before) ? (words[i - 2] ?? "") : before)) return i;
	}
	return -1;
}
