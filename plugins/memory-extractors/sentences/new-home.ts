/** Adds that a person who has just moved somewhere lives there: it follows, and it is what will be asked. */

const name = "\\p{Lu}[\\p{L}’'-]*(?: \\p{Lu}[\\p{L}’'-]*){0,2}";
/** Without a date, or with one of these days; a move of years ago says little of today. */
const lately = String.raw`(?: (?:yesterday|last (?:week|weekend|month)|this (?:week|month))(?: \([^)]*\))?)?`;
const moved = new RegExp(`^(${name}(?: and others)?) (?:just |recently |now )?moved to ${name}${lately}(?=[.,])`, "u");

export function withNewHome(text: string): string {
	return text.replace(moved, (found, who: string) => `${found} and ${/ and /.test(who) ? "live" : "lives"} there`);
}
