/** What a person asks for on the search page, and the two requests that ask it. */

export interface Query {
	readonly q: string;
	/** Empty for all. */
	readonly container: string;
	readonly limit: number;
	/** The least relevance of a document, and of a memory. */
	readonly threshold: number;
	readonly rerank: boolean;
	readonly rewriteQuery: boolean;
	readonly onlyMatchingChunks: boolean;
	readonly forgotten: boolean;
}

export const firstQuery: Query = {
	q: "",
	container: "",
	limit: 10,
	threshold: 0,
	rerank: false,
	rewriteQuery: false,
	onlyMatchingChunks: true,
	forgotten: false,
};

export interface SearchRequest {
	readonly path: "/v3/search" | "/v4/search";
	readonly body: Readonly<Record<string, unknown>>;
}

/** Only what differs from the defaults of the server is sent, so that copied code stays short. */
export function documentRequest(query: Query): SearchRequest {
	const { threshold, onlyMatchingChunks } = query;
	return {
		path: "/v3/search",
		body: {
			...partsForBoth(query),
			...(query.container === "" ? {} : { containerTags: [query.container] }),
			...(threshold === 0 ? {} : { documentThreshold: threshold, chunkThreshold: threshold }),
			...(onlyMatchingChunks ? { onlyMatchingChunks } : {}),
		},
	};
}

export function memoryRequest(query: Query): SearchRequest {
	return {
		path: "/v4/search",
		body: {
			...partsForBoth(query),
			...(query.container === "" ? {} : { containerTag: query.container }),
			threshold: query.threshold,
			include: { documents: true, relatedMemories: true, ...(query.forgotten ? { forgottenMemories: true } : {}) },
		},
	};
}

function partsForBoth({ q, limit, rerank, rewriteQuery }: Query) {
	return { q, limit, ...(rerank ? { rerank } : {}), ...(rewriteQuery ? { rewriteQuery } : {}) };
}
