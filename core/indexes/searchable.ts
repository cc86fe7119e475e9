/** A record store with searches: its own, or those that read every text in scope. */

import type { OrganisationId } from "../model/id.ts";
import type { Storage, StoragePlugin } from "../ports/storage.ts";
import type { WordSearch } from "../ports/word-search.ts";
import { countedTexts } from "./counted-texts.ts";
import { directVectors, directWords } from "./direct-search.ts";

export function searchable(storage: StoragePlugin): Storage {
	const { search } = storage;
	const counted = countedTexts();
	const wordsOf = (organisation: OrganisationId): WordSearch =>
		search?.words(organisation) ?? directWords(storage.textSource(organisation), counted(organisation));
	return {
		...storage,
		organisation: (organisation) => ({
			...storage.organisation(organisation),
			words: wordsOf(organisation),
			vectors: (space) => search?.vectors(organisation, space) ?? directVectors(storage.vectorSource(organisation, space)),
		}),
	};
}
