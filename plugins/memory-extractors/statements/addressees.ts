/** Whom the words of a turn are addressed to: `Ana: Tom, I have your keys`, `<ana> tom: yes`. */

import type { Speaker } from "./speakers.ts";

export interface Address {
	readonly name: string;
	/** The length of the name with what follows it. */
	readonly length: number;
}

const address = /^\s*@?([\p{L}\p{N}_[\]\\^{}|`.-]{1,30}(?: \p{Lu}\p{L}{1,30})?)\s?(?<mark>[:,])\s+(?=\S)/u;
/** Behind `Tom,` these words go on about Tom: `Tom, who lives here`, `Tom, my brother, sails`, `Tom, Ana and I`. */
const aboutThem = /^(?:(?:who|whose|whom|which|and|or|is|was|has)\b|(?:my|our|his|her|the|an?)\b[^,.!?]{1,40},|\p{Lu}\p{L}*(?:,| and\b))/iu;

/** Null if the words do not begin with the name of another speaker. */
export function addressOf(words: string, speakers: ReadonlyMap<string, Speaker>, speaker: Speaker): Address | null {
	const found = address.exec(words);
	const addressed = found === null ? undefined : speakerNamed(found[1] ?? "", speakers);
	if (found === null || addressed === undefined || addressed.name === speaker.name) return null;
	const isSubject = found.groups?.["mark"] === "," && aboutThem.test(words.slice(found[0].length));
	return isSubject ? null : { name: addressed.name, length: found[0].length };
}

/** The speaker with this name, or the only one with this first name. */
function speakerNamed(name: string, speakers: ReadonlyMap<string, Speaker>): Speaker | undefined {
	const key = name.toLowerCase();
	const withFirstName = [...speakers].filter(([known]) => known.startsWith(`${key} `));
	return speakers.get(key) ?? (withFirstName.length === 1 ? withFirstName[0]?.[1] : undefined);
}
