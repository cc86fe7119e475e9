/** When `they` and `their` can stand for a speaker who has been named: nobody else and nothing plural stands in between. */

import { isStopWord } from "cairn-memory";
import { kin } from "./kinship.ts";
import { auxiliaries, isAdverb, isThird } from "./verbs.ts";

export interface StandIn {
	/** Looks at a word that is none of the speaker's own pronouns. */
	readonly pass: (text: string, word: string, isFirst: boolean) => void;
	/** The speaker was named, as the one who does something or as the owner of something, alone or with others. */
	readonly name: (as: "one" | "many", isSubject: boolean) => void;
	/** Whether a pronoun is clear where the speaker would be named again. */
	readonly isClear: (as: "one" | "many", use: "subject" | "object" | "owner" | "compared") => boolean;
}

const people = new RegExp(
	`^(?:${kin}s?|parents|children|kids|wives|people|folks|friends|guys|family|families|siblings|everyone|everybody|someone|somebody|anyone|who|person|man|woman|men|women|girl|boy|he|she|they|them|him|his|her|their|you|your|others?|each)(?:'s?)?$`,
	"i",
);
/** They end like plurals. */
const singular = /(?:ss|us|is|'s)$|^(?:always|perhaps|sometimes|its|this|as|was|has|does|news|lots|besides|afterwards|towards|yes|plus)$/;

export function createStandIn(): StandIn {
	let named: "one" | "many" | null = null;
	let isDoer = false;
	let others = false;
	let plurals = false;
	return {
		pass: (text, word, isFirst) => {
			if (people.test(word) || (/^\p{Lu}/u.test(text) && (isFirst ? isNameLike(word) : true))) others = true;
			if (word.length > 3 && word.endsWith("s") && !singular.test(word) && !(isThird(word) && word !== "works") && !auxiliaries.has(word)) plurals = true;
		},
		name: (as, isSubject) => {
			named ??= as;
			if (isSubject && !others) isDoer = true;
		},
		isClear: (as, use) => {
			if (named !== as || others) return false;
			return use === "owner" || (isDoer && (!plurals || use === "compared"));
		},
	};
}

/** A small word with a capital at the beginning of the sentence is no name. */
function isNameLike(word: string): boolean {
	return (
		!isStopWord(word) &&
		!isAdverb(word) &&
		!/^(?:the|maybe|sometimes|yesterday|today|tomorrow|luckily|since|because|although|when|if|after|before|last|next)$/.test(word)
	);
}
