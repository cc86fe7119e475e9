/** The context in front of a statement, taken off: who says it, or where it stands, and when. */

export interface Said {
	/** `ana` in `Ana (4 March 2026): …`; null where nobody is named. */
	readonly speaker: string | null;
	/** `tidepool › requirements`, `minutes`: what the statement is a part of, without its day. */
	readonly topic: string | null;
	readonly words: string;
}

/** The line that it answers, between the name and the colon. */
const answered = /, (?:asked|to [^“:]{1,80}) “[^”]{0,500}”(?=: )/u;
/** Whom it was said to. */
const listener = / to \p{Lu}[^:()]{0,60}$/u;
const day = /\s*\((?:[^()]*\d[^()]*)\)$/;
const front = /^([^\n:!?"]{1,60}|[^\n"]{1,60} › [^\n]{1,200}?|[^\n:!?"]{1,160} \([^()\n]{4,40}\)): +(?=\S)/;
/** A name of one to four words, or a handle. */
const name = /^(?:\p{Lu}[\p{L}\p{M}\p{N}'’.-]*(?: (?:(?:de|van|von|der|den|la|el|al|bin|du|di|da) )*\p{Lu}[\p{L}\p{M}\p{N}'’.-]*){0,3}|[\p{L}\p{N}_.-]+)$/u;
/** Titles of texts are no names of persons. */
const title = /\b(?:minutes|notes|agenda|report|meeting|e-?mail|letter|diary|journal|summary|page|row|chapter|section|part|note|update|ps|warning|tip)\b/i;
const dates =
	/\b(?:of|from|on)?\s*(?:\d{1,2}(?:st|nd|rd|th)?\s+)?(?:january|february|march|april|may|june|july|august|september|october|november|december)?\s*\d{1,4}\b/gi;

export function saidBy(text: string): Said {
	const plain = text.replace(answered, "");
	const [whole, before] = front.exec(plain) ?? [];
	if (whole === undefined || before === undefined) return { speaker: null, topic: null, words: text };
	const bare = before.replace(day, "").replace(listener, "").trim();
	const words = plain.slice(whole.length);
	if (name.test(bare) && !title.test(bare)) return { speaker: bare.toLowerCase(), topic: null, words };
	const isTitle = bare.includes("›") || day.test(before) || (title.test(bare) && bare.split(" ").length <= 8);
	if (!isTitle) return { speaker: null, topic: null, words: text };
	return { speaker: null, topic: bare.toLowerCase().replace(dates, " ").replace(/\s+/g, " ").trim(), words };
}
