/** Whether the embedder understands the language of a query: most models know one language or a few. */

import type { Embedder } from "../../plugin/contract.ts";
import type { Language } from "../../ranking/words/languages.ts";
import { languagesOf } from "../../ranking/words/languages-of.ts";

const names = new Intl.DisplayNames(["en"], { type: "language" });

/** @returns a sentence on what to expect if the query is in none of the embedder's languages; null if it is in one of them, or if that is unknown. */
export function languageHint(query: string, { name, languages }: Pick<Embedder, "name" | "languages">): string | null {
	const [spoken] = languagesOf(query);
	if (languages === undefined || spoken === undefined || languagesOf(query).some(({ code }) => languages.includes(code))) return null;
	const known = languages.map(nameOf).join(", ");
	return `The query seems to be in ${nameOf(spoken.code)}. The embedder ${name} only knows the meanings of words in ${known}, so texts are found by the words of the query${stems(spoken)}.`;
}

function stems({ stem, code }: Language): string {
	return stem !== null || code === "en" ? ", also in other forms" : "";
}

/** The name of a language; the code itself if an embedder names a code that is not valid. */
function nameOf(code: string): string {
	return (/^[a-z]{2,3}$/.test(code) ? names.of(code) : undefined) ?? code;
}
