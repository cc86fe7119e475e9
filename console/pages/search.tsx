/** The search playground: documents and memories side by side, and the search as code. */

import { useState } from "react";
import { useLoad } from "../api/use-load.ts";
import type { DocumentResults, MemoryResults } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { PageTitle } from "../frame.tsx";
import { Code } from "../search/code.tsx";
import { documentRequest, firstQuery, memoryRequest, type Query } from "../search/query.ts";
import { QueryForm } from "../search/query-form.tsx";
import { DocumentColumn, MemoryColumn } from "../search/results.tsx";

/** Kept while the tab is open, so that the way back from a hit leads to its search. */
let lastQuery: Query = firstQuery;

export function SearchPage() {
	const [asked, setAsked] = useState({ query: lastQuery, turn: 0 });
	const search = (query: Query) => {
		lastQuery = query;
		// A turn of its own: the same query may be asked again.
		setAsked(({ turn }) => ({ query, turn: turn + 1 }));
	};
	return (
		<>
			<PageTitle>Search</PageTitle>
			<QueryForm first={lastQuery} onSearch={search} />
			{asked.query.q !== "" && <Results key={asked.turn} query={asked.query} />}
		</>
	);
}

function Results({ query }: { readonly query: Query }) {
	const { api } = useConsole();
	const documents = documentRequest(query);
	const memories = memoryRequest(query);
	const name = JSON.stringify(query);
	const foundDocuments = useLoad(name, (signal) => api.ask<DocumentResults>("POST", documents.path, { ...documents.body, explain: true }, signal));
	const foundMemories = useLoad(name, (signal) => api.ask<MemoryResults>("POST", memories.path, { ...memories.body, explain: true }, signal));
	return (
		<>
			<div className="columns">
				<DocumentColumn loaded={foundDocuments} />
				<MemoryColumn loaded={foundMemories} />
			</div>
			<Code query={query} />
		</>
	);
}
