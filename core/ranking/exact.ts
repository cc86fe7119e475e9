/**
 * The parts of a query to match exactly: phrases in quotation marks, and identifiers such as `ERR_CONN_4012`, `v2.1.0` or
 * `getUserName`, whose parts are in many texts while the whole is in few; and a higher score for the candidates that hold them.
 */

import type { EmbeddingSpace } from "../model/vector.ts";
import type { Hit } from "../ports/vector-search.ts";
import { type Candidate, withEvidence } from "./fuse.ts";
import { normalize } from "./words.ts";

const quoted = /"([^"]{2,200})"|“([^”]{2,200})”|«([^»]{2,200})»/gu;
const token = /[\p{L}\p{N}](?:[\p{L}\p{N}_.:/#@+-]*[\p{L}\p{N}])?/gu;
/**
 * Two kinds of signs in one: letters and digits, parts joined by signs that words are not joined by, or capitals inside. Each
 * is looked for in one pass: a query without a blank is one name of 10,000 signs.
 */
const identifiers = [/^(?=.*\p{L})(?=.*\p{N})/u, /[_#@]|::|\p{L}[./]\p{L}/u, /\p{Ll}\p{Lu}/u, /\p{N}[.:/-]\p{N}/u];
/** "e.g" and "U.S" name nothing. */
const identifierCharactersMin = 4;
const partsMax = 8;
const wordSign = /[\p{L}\p{N}_]/u;

/** Each once, as `normalize` writes it; most queries have none. */
export function exactParts(query: string): readonly string[] {
	const phrases = [...query.matchAll(quoted)].map((found) => found.slice(1).find((group) => group !== undefined) ?? "");
	const names = [...query.replaceAll(quoted, " ").matchAll(token)].map(([name]) => name).filter(isIdentifier);
	const plain = [...phrases, ...names].map((part) => normalize(part).replace(/\s+/g, " ").trim());
	return [...new Set(plain.filter((part) => part !== ""))].slice(0, partsMax);
}

/** The share of the parts that stand in the text, not inside a longer word. */
export function exactShare(parts: readonly string[], text: string): number {
	if (parts.length === 0) return 0;
	const plain = normalize(text).replace(/\s+/g, " ");
	return parts.filter((part) => holds(plain, part)).length / parts.length;
}

function isIdentifier(name: string): boolean {
	return name.length >= identifierCharactersMin && identifiers.some((form) => form.test(name));
}

function holds(text: string, part: string): boolean {
	for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
		if (!wordSign.test(text[at - 1] ?? " ") && !wordSign.test(text[at + part.length] ?? " ")) return true;
	}
	return false;
}

/** Best first: those that contain, word for word, what the query marks as exact are raised. @param parts see `exactParts`; with none everything stays as it is */
export function boostExactMatches<AnyHit extends Hit<string>>(
	candidates: readonly Candidate<AnyHit>[],
	parts: readonly string[],
	textOf: (id: AnyHit["id"]) => string | undefined,
	space: EmbeddingSpace,
): readonly Candidate<AnyHit>[] {
	if (parts.length === 0) return candidates;
	const exactOf = ({ hit }: Candidate<AnyHit>) => {
		const exact = exactShare(parts, textOf(hit.id) ?? "");
		return exact === 0 ? null : { exact };
	};
	return withEvidence(candidates, exactOf, space);
}
