/** What is asked in the search measures: half of it of all notes, half of one container. */

import type { DocumentQuery } from "../core/search/search-documents.ts";
import { parseDocumentSearch } from "../server/wire/v3/search.ts";
import { createWriter } from "./notes.ts";

export interface Question {
	/** The request as a client sends it. */
	readonly body: { readonly q: string; readonly limit: number; readonly containerTags?: readonly string[] };
	/** The same as the core takes it. */
	readonly query: DocumentQuery;
}

export function questions(count: number, seed: number): readonly Question[] {
	const writer = createWriter(seed);
	return Array.from({ length: count }, (_, i) => {
		const all = { q: writer.question(), limit: 10 };
		const body = i % 2 === 0 ? all : { ...all, containerTags: [writer.containerTag()] };
		return { body, query: parseDocumentSearch(body).query };
	});
}
