/**
 * Finds the parts of a query to match exactly, and raises the scores of candidates that contain them. Such parts are phrases in quotation
 * marks, and identifiers such as `ERR_CONN_4012`, `v2.1.0` or `getUserName`, whose words are in many texts and the whole in few.
 */

import type { EmbeddingSpace } from "../model/vector.ts";
import type { Hit } from "../ports/vector-search.ts";
import { type Candidate, withEvidence } from "./fuse.ts";
import { normalize } from "./words.ts";

const quoted = /"([^"]{2,200})"|“([^”]{2,200})”|«([^»]{2,200})»/gu;
const token = /[\p{L}\p{N}](?:[\p{L}\p{N}_.:/#@+-]*[\p{L}\p{N}])?/gu;
/**
 * Identifiers mix letters and digits, join their parts with characters that do not join words, or have capitals inside. Each pattern takes
 * one pass, because a query without a space is one token of up to 10,000 characters.
 */
const identifiers = [/^(?=.*\p{L})(?=.*\p{N})/u, /[_#@]|::|\p{L}[./]\p{L}/u, /\p{Ll}\p{Lu}/u, /\p{N}[.:/-]\p{N}/u];
/** "e.g" and "U.S" are no identifiers. */
const identifierCharactersMin = 4;
const partsMax = 8;
const wordCharacter = /[\p{L}\p{N}_]/u;

/** The normalized parts, without duplicates; most queries have none. */
export function exactParts(query: string): readonly string[] {
	const phrases = [...query.matchAll(quoted)].map((found) => found.slice(1).find((group) => group !== undefined) ?? "");
	const names = [...query.replaceAll(quoted, " ").matchAll(token)].map(([name]) => name).filter(isIdentifier);
	const plain = [...phrases, ...names].map((part) => normalize(part).replace(/\s+/g, " ").trim());
	return [...new Set(plain.filter((part) => part !== ""))].slice(0, partsMax);
}

/** The share of the parts that the text contains, except inside longer words. */
export function exactShare(parts: readonly string[], text: string): number {
	if (parts.length === 0) return 0;
	const plain = normalize(text).replace(/\s+/g, " ");
	return parts.filter((part) => hasWhole(plain, part)).length / parts.length;
}

function isIdentifier(name: string): boolean {
	return name.length >= identifierCharactersMin && identifiers.some((form) => form.test(name));
}

function hasWhole(text: string, part: string): boolean {
	for (let offset = text.indexOf(part); offset >= 0; offset = text.indexOf(part, offset + 1)) {
		if (!wordCharacter.test(text[offset - 1] ?? " ") && !wordCharacter.test(text[offset + part.length] ?? " ")) return true;
	}
	return false;
}

/** Raises candidates whose texts contain the exact parts, best first. @param parts see `exactParts`; if there are none, nothing changes. */
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
