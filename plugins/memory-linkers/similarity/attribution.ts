/** Separates a statement from the context written before it: who said it, or where it is from, and when. */

export interface Attribution {
	/** `ana` in `Ana (4 March 2026): …`; null if nobody is named. */
	readonly speaker: string | null;
	/** What the statement is a part of, without its date: `tidepool › requirements`, `minutes`. */
	readonly topic: string | null;
	/** The statement itself. */
	readonly words: string;
}

/** What it was said on, and the question that it answers, between the name and the colon. */
const answered = /(?:, on “[^”]{0,200}”)?(?:, (?:asked|to [^“:]{1,80}) “[^”]{0,500}”)?(?=: )/u;
/** To whom it was said. */
const listener = / to \p{Lu}[^:()]{0,60}$/u;
/** A date in brackets. */
const day = /\s*\((?:[^()]*\d[^()]*)\)$/;
/** What comes before the first colon. */
const prefix = /^([^\n:!?"]{1,60}|[^\n"]{1,60} › [^\n]{1,200}?|[^\n:!?"]{1,160} \([^()\n]{4,40}\)): +(?=\S)/;
/** A name of one to four words, or a handle. */
const name = /^(?:\p{Lu}[\p{L}\p{M}\p{N}'’.-]*(?: (?:(?:de|van|von|der|den|la|el|al|bin|du|di|da) )*\p{Lu}[\p{L}\p{M}\p{N}'’.-]*){0,3}|[\p{L}\p{N}_.-]+)$/u;
/** Words in titles of texts, which are not names of persons. */
const title = /\b(?:minutes|notes|agenda|report|meeting|e-?mail|letter|diary|journal|summary|page|row|chapter|section|part|note|update|ps|warning|tip)\b/i;
const dates =
	/\b(?:of|from|on)?\s*(?:\d{1,2}(?:st|nd|rd|th)?\s+)?(?:january|february|march|april|may|june|july|august|september|october|november|december)?\s*\d{1,4}\b/gi;

export function attributionOf(text: string): Attribution {
	const plain = text.replace(answered, "");
	const [match, before] = prefix.exec(plain) ?? [];
	if (match === undefined || before === undefined) return { speaker: null, topic: null, words: text };
	const label = before.replace(day, "").replace(listener, "").trim();
	const words = plain.slice(match.length);
	if (name.test(label) && !title.test(label)) return { speaker: label.toLowerCase(), topic: null, words };
	const isTitle = label.includes("›") || day.test(before) || (title.test(label) && label.split(" ").length <= 8);
	if (!isTitle) return { speaker: null, topic: null, words: text };
	return { speaker: null, topic: label.toLowerCase().replace(dates, " ").replace(/\s+/g, " ").trim(), words };
}
