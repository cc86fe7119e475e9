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
	/** Conditions on metadata, as JSON. Empty for none, as all that follow. */
	readonly filters: string;
	readonly filepath: string;
	readonly document: string;
	/** What the search for memories looks through; memories alone where it is empty. */
	readonly searchMode: string;
	/** Days. */
	readonly asOf: string;
	readonly trueAt: string;
	readonly maxTokens: string;
	readonly aggregate: boolean;
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
	filters: "",
	filepath: "",
	document: "",
	searchMode: "",
	asOf: "",
	trueAt: "",
	maxTokens: "",
	aggregate: false,
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
			...unlessEmpty({ containerTag: query.container, searchMode: query.searchMode }),
			threshold: query.threshold,
			...unlessEmpty({ asOf: endOf(query.asOf), trueAt: endOf(query.trueAt) }),
			...(query.maxTokens === "" ? {} : { maxTokens: Number(query.maxTokens) }),
			...(query.aggregate ? { aggregate: true } : {}),
			include: { documents: true, relatedMemories: true, ...(query.forgotten ? { forgottenMemories: true } : {}) },
		},
	};
}

function partsForBoth({ q, limit, rerank, rewriteQuery, filters, filepath, document }: Query) {
	return {
		...{ q, limit, ...(rerank ? { rerank } : {}), ...(rewriteQuery ? { rewriteQuery } : {}) },
		...(filters.trim() === "" ? {} : { filters: asJson(filters) }),
		...unlessEmpty({ filepath, docId: document }),
	};
}

/** The server says what is wrong with a text that is no JSON. */
function asJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function endOf(day: string): string {
	return day === "" ? "" : new Date(`${day}T23:59:59.999`).toISOString();
}

function unlessEmpty(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
	return Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ""));
}
