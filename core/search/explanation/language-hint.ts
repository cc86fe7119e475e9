/** Whether the embedder understands the language of a query: most models know one language or a few. */

import type { Embedder } from "../../plugin/contract.ts";
import type { Language } from "../../ranking/words/languages.ts";
import { languagesOf } from "../../ranking/words/languages-of.ts";

const names = new Intl.DisplayNames(["en"], { type: "language" });

/** @returns a sentence on what to expect when the query is in none of the embedder's languages; null when it is in one, or that is unknown. */
export function languageHint(query: string, { name, languages }: Pick<Embedder, "name" | "languages">): string | null {
	const [spoken] = languagesOf(query);
	if (languages === undefined || spoken === undefined || languagesOf(query).some(({ code }) => languages.includes(code))) return null;
	const known = languages.map(nameOf).join(", ");
	return `The query seems to be in ${nameOf(spoken.code)}. The embedder ${name} knows the meanings of ${known} alone: what is found was found by its words${stems(spoken)}.`;
}

function stems({ stem, code }: Language): string {
	return stem !== null || code === "en" ? ", also in other forms" : "";
}

/** What an embedder gives as a code may be none. */
function nameOf(code: string): string {
	return (/^[a-z]{2,3}$/.test(code) ? names.of(code) : undefined) ?? code;
}
