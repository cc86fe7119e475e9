/** What limits a statement: that it may not be so, or only if, that others say so, that it was so once. A memory that leaves it out says more than its quote. */

interface Qualifier {
	readonly inQuote: RegExp;
	/** By which a memory says the same, in its own way. */
	readonly inMemory: RegExp;
}

const hedge =
	/\b(?:might|maybe|perhaps|possibly|probably|presumably|could|considering|thinking (?:of|about)|tempted|not sure|unsure|vielleicht|womöglich|könnte|peut-être|pourrait|quizás?|tal vez|forse|potrebbe|talvez|misschien|может быть|возможно|наверное)(?![\p{L}\p{M}])/iu;
const report =
	/\b(?:told (?:me|us)|tells me|heard|apparently|supposedly|allegedly|reportedly|according to|rumou?rs?|rumou?red|they say|people say|word is|gossip|angeblich|soll (?:ja )?|paraît|on dit|il paraît|dicen|dicono|pare che|dizem|schijnt|naar verluidt|говорят|якобы)(?![\p{L}\p{M}])/iu;

const qualifiers: readonly Qualifier[] = [
	{ inQuote: hedge, inMemory: new RegExp(`${hedge.source}|\\b(?:may|thinks|unsure|undecided|considers?|plans?|hopes?|wants?)\\b`, "iu") },
	{
		inQuote: /\b(?:if|unless|would|wenn|falls|würde[nt]?|als ik|mocht|si j[e'’]|en cas|si (?:no|me|se|yo)|se (?:io|non|mi)|если)(?![\p{L}\p{M}])/iu,
		inMemory: /\b(?:if|unless|would|whether|when|in case|wenn|falls|würde[nt]?|bei|als|mocht|si|en cas|se|если|бы)(?![\p{L}\p{M}])/iu,
	},
	{ inQuote: report, inMemory: new RegExp(`${report.source}|\\b(?:says?|said|tells?|told|hears?|claims?|claimed|reports?|reported|believes?)\\b`, "iu") },
	{
		inQuote:
			/\b(?:used to|back then|formerly|in those days|at the time|when i was|(?:was|were) (?:\p{L}+ing|a|an|the|in|at)|frühere?r?|damals|autrefois|à l'époque|antes|solía|раньше|тогда)(?![\p{L}\p{M}])/iu,
		inMemory:
			/\b(?:used to|was|were|had|did|formerly|former|once|then|at the time|previously|\p{L}{2,}ed|ago|until|war|waren|hatte|était|avait|era|estaba|solía|antes|damals|früher|был|была|были|раньше)(?![\p{L}\p{M}])/iu,
	},
];

export function keepsQualifiers(text: string, clause: string): boolean {
	return qualifiers.every(({ inQuote, inMemory }) => !inQuote.test(clause) || inMemory.test(text));
}
