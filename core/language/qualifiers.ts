/** Expressions that limit a statement: doubt, conditions, hearsay, the past. A memory that leaves out such an expression claims more than its quote. */

interface Qualifier {
	readonly inQuote: RegExp;
	/** Expressions by which a memory may say the same. */
	readonly inMemory: RegExp;
}

const hedge =
	/\b(?:might|maybe|perhaps|possibly|probably|presumably|could|considering|thinking (?:of|about)|tempted|not sure|unsure|vielleicht|womöglich|könnte|peut-être|pourrait|quizás?|tal vez|forse|potrebbe|talvez|misschien|может быть|возможно|наверное)(?![\p{L}\p{M}])/iu;
const hearsay =
	/\b(?:told (?:me|us)|tells me|heard|apparently|supposedly|allegedly|reportedly|according to|rumou?rs?|rumou?red|they say|people say|word is|gossip|angeblich|soll (?:ja )?|paraît|on dit|il paraît|dicen|dicono|pare che|dizem|schijnt|naar verluidt|говорят|якобы)(?![\p{L}\p{M}])/iu;

const qualifiers: readonly Qualifier[] = [
	{ inQuote: hedge, inMemory: new RegExp(`${hedge.source}|\\b(?:may|thinks|unsure|undecided|considers?|plans?|hopes?|wants?)\\b`, "iu") },
	{
		inQuote: /\b(?:if|unless|would|wenn|falls|würde[nt]?|als ik|mocht|si j[e'’]|en cas|si (?:no|me|se|yo)|se (?:io|non|mi)|если)(?![\p{L}\p{M}])/iu,
		inMemory: /\b(?:if|unless|would|whether|when|in case|wenn|falls|würde[nt]?|bei|als|mocht|si|en cas|se|если|бы)(?![\p{L}\p{M}])/iu,
	},
	{ inQuote: hearsay, inMemory: new RegExp(`${hearsay.source}|\\b(?:says?|said|tells?|told|hears?|claims?|claimed|reports?|reported|believes?)\\b`, "iu") },
	{
		inQuote:
			/\b(?:used to|back then|formerly|in those days|at the time|when i was|(?:was|were) (?:\p{L}+ing|a|an|the|in|at)|frühere?r?|damals|autrefois|à l'époque|antes|solía|раньше|тогда)(?![\p{L}\p{M}])/iu,
		inMemory:
			/\b(?:used to|was|were|had|did|formerly|former|once|then|at the time|previously|\p{L}{2,}ed|ago|until|war|waren|hatte|était|avait|era|estaba|solía|antes|damals|früher|был|была|были|раньше)(?![\p{L}\p{M}])/iu,
	},
];

export function keepsQualifiers(text: string, quote: string): boolean {
	return qualifiers.every(({ inQuote, inMemory }) => !inQuote.test(quote) || inMemory.test(text));
}
