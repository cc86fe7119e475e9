/** A question to the documents and one to the memories of an organisation, with nothing held back: what a test asks where it does not matter. */

import { wholeOrganisation } from "cairn-memory/stores";

export const documentQuery = {
	query: "the harbour",
	scope: wholeOrganisation,
	limit: 10,
	chunkThreshold: 0,
	documentThreshold: 0,
	onlyMatchingChunks: true,
	rerank: false,
	rewriteQuery: false,
};
export const memoryQuery = {
	query: "the harbour is open",
	scope: wholeOrganisation,
	mode: "hybrid",
	limit: 10,
	threshold: 0,
	rerank: false,
	rewriteQuery: false,
	includeForgotten: false,
	includeRelatives: false,
	includeChunks: false,
} as const;
