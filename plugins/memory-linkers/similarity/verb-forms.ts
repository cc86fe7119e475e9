/** The past forms and participles of English verbs, as a pattern. */

const irregular: ReadonlyMap<string, string> = new Map(
	(
		"leave left leaving|sell sold selling|lose lost losing|give gave given giving|throw threw thrown throwing|break broke broken breaking|die died dying|take took taken taking|go went gone going|" +
		"fall fell fallen falling|withdraw withdrew withdrawn withdrawing|forbid forbade forbidden|step stepped stepping|drop dropped dropping|scrap scrapped scrapping|bin binned binning|ban banned banning|" +
		"come came coming|get got getting|stop stopped stopping|cancel cancelled cancelling canceled|lay laid laying|pay paid paying|run ran running|quit quitting|split splitting|shut shutting|bury buried burying|" +
		"stand stood standing|wear wore worn wearing"
	)
		.split("|")
		.map((forms): [string, string] => [forms.split(" ")[0] ?? "", forms.split(" ").slice(1).join(" ")]),
);
/** Verbs whose past is the same as the base. */
const unchanged = new Set(["quit", "split", "shut"]);

/**
 * A pattern for the past forms of the verbs (`retired`), and for their present participles after a form of `be` (`is retiring`).
 * @param bases separated by spaces.
 */
export function pastForms(bases: string): string {
	return bases.split(" ").map(formsOf).join("|");
}

function formsOf(base: string): string {
	const forms = wordsOf(base).map((form) => (form.endsWith("ing") ? `(?<=\\b(?:am|is|are|been) (?:\\w+ )?)${form}` : form));
	return [...forms, ...(unchanged.has(base) ? [base] : [])].join("|");
}

/** All words that such a pattern can match. */
export function pastWords(bases: string): readonly string[] {
	return bases.split(" ").flatMap((base) => [base, ...wordsOf(base)]);
}

function wordsOf(base: string): readonly string[] {
	const stem = base.replace(/e$/, "");
	return (irregular.get(base) ?? `${stem}ed ${stem}ing`).split(" ");
}

/** A pattern for up to three words between a verb and its particle. */
export const upToThreeWords = "(?:\\S+ ){0,3}?";
