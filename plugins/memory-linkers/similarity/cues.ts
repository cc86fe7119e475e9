/** What a clause shows of its validity: asked, supposed, past, added, changed or ended. English, contractions written out. */

/** It may be so, or is wished, feared, joked: nothing is claimed. */
const supposed =
	/\b(?:if|whether|maybe|perhaps|might|may (?:be|have|not|well|just|end)|heard (?:that|he|she|they|it)|rumou?r|keeps? saying|would|could|should|suppose|imagine|wish|wonder(?:ing)?|thinking (?:of|about)|think about|consider(?:s|ing)?|dream(?:s|ing)? (?:of|to)|hop(?:e|es|ing) (?:to|for)|ought|probably|as though|tempted)\b/;
/** `is not the same`, `never did it`: nothing has ended that was not there. */
const undone = /\b(?:did not|has not|have not|had not|will not|was not|were not|could not|cannot|can not|almost|nearly|never|not yet|refus\w+ to)\b/;
const past =
	/\b(?:was|were|had|did|used to|ago|back then|before that|formerly|previously|as a child|when (?:i|we|he|she|they) (?:was|were|lived)|in the (?:\w+ties|\d\ds|\d{4}s)|grew up)\b/;
const pastVerb =
	/\b(?:worked|lived|studied|played|drove|ate|smoked|paid|cost|wanted|liked|loved|hated|ran|kept|owned|thought|felt|looked|spent|visited|saw|met|went|came|read|wrote|told|said|heard)\b/;
const added =
	/\b(?:too(?! (?:few|many|much|little|late|early|dear|expensive|old|big|small|far|long|loud|hot|cold|heavy|busy|\w+ (?:for|to)\b))|also|as well|another|a (?:second|third|fourth)|additional(?:ly)?|besides|in addition|on top|extra|one more|on the side)\b/;
const plan =
	/\b(?:will|shall|going to|plan(?:s|ning)? (?:to|on)|wants? to|intends? to|would like|about to|supposed to|is to|are to|hop(?:e|es|ing) to|thinking (?:of|about)|considering|looking for|looking to|booked|signed up|reserved|tickets for)\b/;

/** A word of change that needs another value beside it. */
const turned =
	/\b(?:now|nowadays|these days|by now|currently|only|from now on|then$|as of|since (?:\p{L}+day|yesterday|easter|christmas|new year|last|this|january|february|march|april|may|june|july|august|september|october|november|december|the)|up to|down to|in the end|finally|they want)\b/u;
/** One that needs nothing beside it. */
const changed =
	/\b(?:chang(?:e|es|ed|ing)|switch(?:ed|es|ing)?|swap(?:ped|s)?|replac(?:e|es|ed|ing)|instead|mov(?:e|es|ed|ing)|postponed|rescheduled|brought forward|put off|pushed|delayed|shifted|extended|raised|increased|lowered|cut|reduced|upgraded|(?:went|gone) (?:up|down)|rose|fell|renamed|updated|taken over|took over|takes over|taking over|handed|no longer|any ?more|no more|new)\b/;
export interface Cues {
	readonly isAsked: boolean;
	readonly isSupposed: boolean;
	readonly isPast: boolean;
	readonly isPlan: boolean;
	readonly adds: boolean;
	readonly isUndone: boolean;
	readonly tellsTurn: boolean;
	readonly tellsChange: boolean;
}

/** @param says one clause in lower case @param isAsked whether its sentence ends with a question mark */
export function cuesOf(says: string, isAsked: boolean): Cues {
	const tellsChange = changed.test(says);
	const isPlan = plan.test(says);
	return {
		isAsked: isAsked || /^(?:do|does|did|are|is|can|could|should|would|will|have|has|who|what|where|when|why|how)\b.*\byou\b/.test(says),
		isSupposed: supposed.test(says),
		isPast: !isPlan && !/\bno longer\b/.test(says) && isPastTold(says),
		isPlan,
		adds: added.test(says),
		isUndone: undone.test(says) && !/\b(?:any ?more|no longer)\b/.test(says),
		tellsTurn: tellsChange || turned.test(says),
		tellsChange,
	};
}

/** By the first of several parts that are set off by commas: the others say more. */
function isPastTold(says: string): boolean {
	const [first = ""] = says.split(/, /).filter((part) => part.split(" ").length >= 3);
	return past.test(first) || pastVerb.test(first);
}
