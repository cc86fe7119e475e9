/** Whether an English sentence says what somebody prefers, likes, dislikes, wants or avoids. */

/** Verbs, nouns and phrases that always express a preference. */
const always =
	/\b(?:prefers?|preferring|preferred (?:to|by|over)|preferences?|dislikes?|detests?|loathes?|despises?|adores?|favou?rites?|can(?:no|['’])t stand|can(?:no|['’])t bear|(?:would|['’]d) (?:much )?rather|(?:big |huge |great )?fans? of|(?:fond|tired|sick) of|keen on|partial to|picky about|(?:not )?a fan)\b/i;

/** Verbs in the third person, unless they are nouns, as in "the likes". */
const thirdPerson = /(?<!\b(?:the|\d+|of|more|many|few|got|his|her|their|my|our|your) )\b(?:likes|loves|hates|enjoys|wants|avoids|craves|fancies)\b(?! of\b)/i;

/** The base form of a verb after a person, possibly with words in between. */
const baseForm =
	/\b(?:I|you|we|they|who|both|(?:do|does|did)(?: not|n['’]t)|never|always|really|also|still|especially|(?:would|['’]d)|and) (?:(?:really|also|just|absolutely|still|always|never|both|all) )?(?:like|love|hate|enjoy|want|avoid|crave|fancy)\b/i;

/** A plural noun and a verb, as in "Kids love pizza". It omits "like", which may compare: "tools like hammers". */
const pluralNoun = /^(?:\S+ ){0,3}\w+s (?:love|hate|enjoy|want|avoid|prefer)\b/i;

/** Former preferences and questions are excluded. */
const excluded = /\bused to (?:like|love|hate|enjoy|prefer)\b|\?\s*$|\b(?:would|['’]d|do|does) (?:you|he|she|they|anyone|anybody) (?:like|want|prefer)\b/i;

export function saysPreference(text: string): boolean {
	return !excluded.test(text) && [always, thirdPerson, baseForm, pluralNoun].some((pattern) => pattern.test(text));
}
