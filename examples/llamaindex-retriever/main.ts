/** Asks the retriever. A query engine or a chat engine of LlamaIndex takes it as any other. */

import { MetadataMode } from "@llamaindex/core/schema";
import { CairnRetriever } from "./cairn-retriever.ts";

const retriever = new CairnRetriever({
	url: process.env["CAIRN_URL"] ?? "http://127.0.0.1:6767",
	apiKey: process.env["CAIRN_API_KEY"] ?? "",
	containerTag: "leonie",
});

for (const { node, score } of await retriever.retrieve("What is Leonie allergic to?")) console.log(score, node.getContent(MetadataMode.NONE));
