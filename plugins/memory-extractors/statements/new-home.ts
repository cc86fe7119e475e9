/** Who moved somewhere lives there: a question about where somebody lives seldom says `moved`. */

const moved =
	/(?<!\p{L})(?:moved|relocated) (?:(?:back|over|out|down|up|away|house|in|here|together|with \p{L}+|from \p{Lu}[\p{L}'’-]*) )*to (?:the )?(?<place>\p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*){0,3}|\d{1,5} \p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*){0,3})/u;
/** Nobody's, not done, or not of persons. */
const otherwise = /\?|(?<!\p{L})(?:not|never|if|would|might|could|meeting|deadline|date|launch|party)(?!\p{L})|n['’]t(?!\p{L})/iu;

/** @returns what a statement says of a home without saying it; empty where it says nothing. */
export function newHome(text: string): string {
	const place = otherwise.test(text) ? undefined : moved.exec(text)?.groups?.["place"];
	return place === undefined ? "" : `Lives in ${place}.`;
}
