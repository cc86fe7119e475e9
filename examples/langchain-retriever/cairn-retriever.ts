/** A retriever of LangChain.js over Cairn: memories and passages of documents, the most relevant first. */

import { Document } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";

export interface CairnRetrieverInput extends BaseRetrieverInput {
	readonly url: string;
	readonly apiKey: string;
	readonly containerTag: string;
	readonly limit?: number;
}

interface Result {
	readonly id: string;
	readonly memory?: string;
	readonly chunk?: string;
	readonly similarity: number;
	readonly metadata: Readonly<Record<string, unknown>> | null;
}

export class CairnRetriever extends BaseRetriever {
	override lc_namespace = ["cairn", "retrievers"];
	readonly #input: CairnRetrieverInput;

	constructor(input: CairnRetrieverInput) {
		super(input);
		this.#input = input;
	}

	override async _getRelevantDocuments(query: string): Promise<Document[]> {
		const { url, apiKey, containerTag, limit = 5 } = this.#input;
		const response = await fetch(`${url}/v4/search`, {
			method: "POST",
			headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
			body: JSON.stringify({ q: query, containerTag, limit, searchMode: "hybrid" }),
		});
		if (!response.ok) throw new Error(await response.text());
		const { results } = (await response.json()) as { readonly results: readonly Result[] };
		return results.map(
			({ id, memory, chunk, similarity, metadata }) => new Document({ id, pageContent: memory ?? chunk ?? "", metadata: { ...metadata, similarity } }),
		);
	}
}
