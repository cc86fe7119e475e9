/** Asks the retriever by itself, and puts it into a chain that makes a prompt of what it finds. */

import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnablePassthrough, RunnableSequence } from "@langchain/core/runnables";
import { CairnRetriever } from "./cairn-retriever.ts";

const retriever = new CairnRetriever({
	url: process.env["CAIRN_URL"] ?? "http://127.0.0.1:6767",
	apiKey: process.env["CAIRN_API_KEY"] ?? "",
	containerTag: "leonie",
});
const question = "What is Leonie allergic to?";

for (const { pageContent, metadata } of await retriever.invoke(question)) console.log(metadata["similarity"], pageContent);

const chain = RunnableSequence.from([
	{ known: retriever.pipe((documents) => documents.map(({ pageContent }) => pageContent).join("\n")), question: new RunnablePassthrough() },
	ChatPromptTemplate.fromMessages([
		["system", "Answer by what is known:\n{known}"],
		["human", "{question}"],
	]),
	// Your model stands here: new ChatOpenAI({ … })
]);
console.log((await chain.invoke(question)).toString());
