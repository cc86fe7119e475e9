/** The forms of English verbs, from their base. */

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
/** They are their own past. */
const unchanged = new Set(["quit", "split", "shut"]);

/** The forms that tell of something done, as `retired`, and after `is` or `are` the one that tells of something going on, for a pattern. */
export function done(bases: string): string {
	return bases.split(" ").map(formsOf).join("|");
}

function formsOf(base: string): string {
	const stem = base.replace(/e$/, "");
	const own = (irregular.get(base) ?? `${stem}ed ${stem}ing`)
		.split(" ")
		.map((form) => (form.endsWith("ing") ? `(?<=\\b(?:am|is|are|been) (?:\\w+ )?)${form}` : form));
	return [...own, ...(unchanged.has(base) ? [base] : [])].join("|");
}

/** Up to three words between a verb and its particle. */
export const some = "(?:\\S+ ){0,3}?";
