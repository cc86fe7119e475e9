/** A retriever of LlamaIndex.TS over Cairn: memories and passages of documents, the most relevant first. */

import type { QueryBundle } from "@llamaindex/core/query-engine";
import { BaseRetriever } from "@llamaindex/core/retriever";
import { type NodeWithScore, TextNode } from "@llamaindex/core/schema";
import { extractText } from "@llamaindex/core/utils";

export interface CairnRetrieverInput {
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
	readonly #input: CairnRetrieverInput;

	constructor(input: CairnRetrieverInput) {
		super();
		this.#input = input;
	}

	override async _retrieve({ query }: QueryBundle): Promise<NodeWithScore[]> {
		const { url, apiKey, containerTag, limit = 5 } = this.#input;
		const response = await fetch(`${url}/v4/search`, {
			method: "POST",
			headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
			body: JSON.stringify({ q: extractText(query), containerTag, limit, searchMode: "hybrid" }),
		});
		if (!response.ok) throw new Error(await response.text());
		const { results } = (await response.json()) as { readonly results: readonly Result[] };
		return results.map(({ id, memory, chunk, similarity, metadata }) => ({
			node: new TextNode({ id_: id, text: memory ?? chunk ?? "", metadata: { ...metadata } }),
			score: similarity,
		}));
	}
}
