/** The search playground: documents and memories side by side, with one setting or with two, and the search as code. */

import { useState } from "react";
import { type Loaded, useLoad } from "../api/use-load.ts";
import type { DocumentResults, MemoryHit, MemoryResults, PassageHit } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { PageTitle } from "../frame.tsx";
import { Code } from "../search/code.tsx";
import { documentRequest, firstQuery, memoryRequest, type Query } from "../search/query.ts";
import { type Asked, QueryForm } from "../search/query-form.tsx";
import { DocumentColumn, MemoryColumn } from "../search/results.tsx";

/** Kept while the tab is open, so that the way back from a hit leads to its search. */
let lastAsked: Asked = { query: firstQuery, other: null };

export function SearchPage() {
	const [{ asked, turn }, setAsked] = useState({ asked: lastAsked, turn: 0 });
	const search = (next: Asked) => {
		lastAsked = next;
		// A turn of its own: the same query may be asked again.
		setAsked((before) => ({ asked: next, turn: before.turn + 1 }));
	};
	return (
		<>
			<PageTitle>Search</PageTitle>
			<QueryForm first={lastAsked} onSearch={search} />
			{asked.query.q !== "" && (asked.other === null ? <Results key={turn} query={asked.query} /> : <Compared key={turn} {...asked} other={asked.other} />)}
		</>
	);
}

function Results({ query }: { readonly query: Query }) {
	return (
		<>
			<div className="columns">
				<DocumentColumn title="Documents" loaded={useDocuments(query)} />
				<MemoryColumn title="Memories" loaded={useMemories(query)} />
			</div>
			<Code query={query} />
		</>
	);
}

/** Each kind of result in two columns. In the second one each hit says where it was in the first. */
function Compared({ query, other }: { readonly query: Query; readonly other: Query }) {
	const documents = useDocuments(query);
	const memories = useMemories(query);
	return (
		<>
			<div className="columns">
				<DocumentColumn title="Documents, first settings" loaded={documents} />
				<DocumentColumn title="Documents, second settings" loaded={useDocuments(other)} before={documents.value?.results.map((hit) => hit.documentId)} />
			</div>
			<div className="columns">
				<MemoryColumn title="Memories, first settings" loaded={memories} />
				<MemoryColumn title="Memories, second settings" loaded={useMemories(other)} before={memories.value?.results.map((hit) => hit.id)} />
			</div>
			<Code query={query} other={other} />
		</>
	);
}

function useDocuments(query: Query): Loaded<DocumentResults> {
	return useResults(documentRequest(query));
}

function useMemories(query: Query): Loaded<MemoryResults<MemoryHit | PassageHit>> {
	return useResults(memoryRequest(query));
}

function useResults<Answer>({ path, body }: ReturnType<typeof documentRequest>): Loaded<Answer> {
	const { api } = useConsole();
	return useLoad(JSON.stringify(body), (signal) => api.ask<Answer>("POST", path, { ...body, explain: true }, signal));
}
