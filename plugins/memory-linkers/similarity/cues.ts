/**
 * Finds cues for how a clause is meant: as a question, a supposition, past, a plan, an addition or a change. English, with contractions
 * written out.
 */

import { needsWord } from "./guards.ts";

/** A possibility, wish, hearsay or the like: nothing is claimed. */
const supposed =
	/\b(?:if|whether|maybe|perhaps|might|may (?:be|have|not|well|just|end)|heard (?:that|he|she|they|it)|rumou?r|keeps? saying|would|could|should|suppose|imagine|wish|wonder(?:ing)?|thinking (?:of|about)|think about|consider(?:s|ing)?|dream(?:s|ing)? (?:of|to)|hop(?:e|es|ing) (?:to|for)|ought|probably|as though|tempted)\b/;
/** Something that was not done, so that it cannot have ended anything: `never sold it`. */
const notDone = /\b(?:did not|has not|have not|had not|will not|was not|were not|could not|cannot|can not|almost|nearly|never|not yet|refus\w+ to)\b/;
const past =
	/\b(?:was|were|had|did|used to|ago|back then|before that|formerly|previously|as a child|when (?:i|we|he|she|they) (?:was|were|lived)|in the (?:\w+ties|\d\ds|\d{4}s)|grew up)\b/;
const pastVerb =
	/\b(?:worked|lived|studied|played|drove|ate|smoked|paid|cost|wanted|liked|loved|hated|ran|kept|owned|thought|felt|looked|spent|visited|saw|met|went|came|read|wrote|told|said|heard)\b/;
const added =
	/\b(?:too(?! (?:few|many|much|little|late|early|dear|expensive|old|big|small|far|long|loud|hot|cold|heavy|busy|\w+ (?:for|to)\b))|also|as well|another|a (?:second|third|fourth)|additional(?:ly)?|besides|in addition|on top|extra|one more|on the side)\b/;
const plan =
	/\b(?:will|shall|going to|plan(?:s|ning)? (?:to|on)|wants? to|intends? to|would like|about to|supposed to|is to|are to|hop(?:e|es|ing) to|thinking (?:of|about)|considering|looking for|looking to|booked|signed up|reserved|tickets for)\b/;

/** Words that hint at a change. They only count as one if the clause has another value too. */
const changeHint =
	/\b(?:now|nowadays|these days|by now|currently|only|from now on|then$|as of|since (?:\p{L}+day|yesterday|easter|christmas|new year|last|this|january|february|march|april|may|june|july|august|september|october|november|december|the)|up to|down to|in the end|finally|they want)\b/u;
/** Words that state a change by themselves. */
const changeWord =
	/\b(?:chang(?:e|es|ed|ing)|switch(?:ed|es|ing)?|swap(?:ped|s)?|replac(?:e|es|ed|ing)|instead|mov(?:e|es|ed|ing)|postponed|rescheduled|brought forward|put off|pushed|delayed|shifted|extended|raised|increased|lowered|cut|reduced|upgraded|(?:went|gone) (?:up|down)|rose|fell|renamed|updated|taken over|took over|takes over|taking over|handed|no longer|any ?more|no more|new)\b/;

/** What each pattern needs. A change to one of them is made to both. */
const may = {
	supposed: needsWord(
		"if|whether|maybe|perhaps|might|may|heard|rumou?r|keeps?|would|could|should|suppose|imagine|wish|wonder(?:ing)?|thinking|think|consider(?:s|ing)?|dreams?|dreaming|hop(?:e|es|ing)|ought|probably|though|tempted",
	),
	notDone: needsWord("not|cannot|almost|nearly|never|refus\\w+"),
	past: needsWord(
		"was|were|had|did|used|ago|back|before|formerly|previously|child|lived|\\w+ties|\\d\\ds|\\d{4}s|grew|" +
			"worked|studied|played|drove|ate|smoked|paid|cost|wanted|liked|loved|hated|ran|kept|owned|thought|felt|looked|spent|visited|saw|met|went|came|read|wrote|told|said|heard",
	),
	add: needsWord("too|also|well|another|second|third|fourth|additional(?:ly)?|besides|addition|top|extra|more|side"),
	plan: needsWord("will|shall|to|plan(?:s|ning)?|would|thinking|considering|looking|booked|signed|reserved|tickets"),
	hintAtChange: needsWord("now|nowadays|days|currently|only|then|as|since|up|down|end|finally|want"),
	stateChange: needsWord(
		"chang(?:e|es|ed|ing)|switch(?:ed|es|ing)?|swap(?:ped|s)?|replac(?:e|es|ed|ing)|instead|mov(?:e|es|ed|ing)|postponed|rescheduled|brought|off|pushed|delayed|shifted|extended|raised|increased|lowered|cut|reduced|upgraded|went|gone|rose|fell|renamed|updated|over|handed|longer|any ?more|more|new",
	),
	ask: needsWord("you"),
};

export interface Cues {
	readonly isAsked: boolean;
	readonly isSupposed: boolean;
	/** Whether it was so, and nothing says that it still is. */
	readonly isPast: boolean;
	readonly isPlan: boolean;
	/** Whether it adds to what is known (`also`, `another`) instead of replacing it. */
	readonly adds: boolean;
	/** Whether something was not done (`did not sell`). */
	readonly isNotDone: boolean;
	/** Whether it states or hints at a change. */
	readonly hintsAtChange: boolean;
	/** Whether it states a change. */
	readonly statesChange: boolean;
}

/** @param text one clause in lower case. @param isAsked whether its sentence ends with a question mark. */
export function cuesOf(text: string, isAsked: boolean): Cues {
	const statesChange = may.stateChange(text) && changeWord.test(text);
	const isPlan = may.plan(text) && plan.test(text);
	return {
		isAsked: isAsked || (may.ask(text) && /^(?:do|does|did|are|is|can|could|should|would|will|have|has|who|what|where|when|why|how)\b.*\byou\b/.test(text)),
		isSupposed: may.supposed(text) && supposed.test(text),
		isPast: !isPlan && may.past(text) && !/\bno longer\b/.test(text) && isToldInPast(text),
		isPlan,
		adds: may.add(text) && added.test(text),
		isNotDone: may.notDone(text) && notDone.test(text) && !/\b(?:any ?more|no longer)\b/.test(text),
		hintsAtChange: statesChange || (may.hintAtChange(text) && changeHint.test(text)),
		statesChange,
	};
}

/** Judged by the first part that commas set off, because the others only add to it. */
function isToldInPast(text: string): boolean {
	const [first = ""] = text.split(/, /).filter((part) => part.split(" ").length >= 3);
	return past.test(first) || pastVerb.test(first);
}
