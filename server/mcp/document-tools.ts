/** Tools that search, list and read documents. */

import { z } from "zod";
import { nothingFound } from "./nothing-found.ts";
import { page, pagination } from "./paging.ts";
import { containerTag, type Tool, tool } from "./tool.ts";

/** About 12,000 tokens, so that one file does not fill the context window of a model. */
const contentCharactersMax = 50_000;
const queryCharactersMax = 1_000;

const nullableText = z
	.string()
	.nullish()
	.transform((text) => text ?? null);
const documentRow = z.object({
	...{ id: z.string(), title: nullableText, type: z.string(), status: z.string(), summary: nullableText },
	...{ createdAt: z.string(), updatedAt: z.string() },
});
const documentFields = { id: z.string(), title: z.string().nullable(), type: z.string(), status: z.string(), summary: z.string().nullable() };
const timeFields = { createdAt: z.string(), updatedAt: z.string() };
const hit = z.object({
	documentId: z.string(),
	title: nullableText,
	score: z.number(),
	chunks: z.array(
		z.object({
			content: z.string(),
			isRelevant: z.boolean(),
			place: z.object({ headings: z.array(z.string()).optional(), caption: z.string().optional() }).nullish(),
		}),
	),
});

/** The text of a chunk below its headings and the caption of its table, unless it says them itself. */
function passage({ content, place }: z.output<typeof hit>["chunks"][number]): string {
	const [path, caption] = [(place?.headings ?? []).join(" › "), place?.caption ?? ""];
	return [path, content.includes(caption) ? "" : caption, content].filter(Boolean).join("\n");
}

const searchDocuments = tool({
	name: "search_documents",
	title: "Search documents",
	description: "Searches only documents and files and returns the passages that match, best document first.",
	input: { query: z.string().min(1).max(queryCharactersMax), limit: z.number().int().min(1).max(20).default(5), containerTag },
	output: {
		results: z.array(z.object({ documentId: z.string(), title: z.string().nullable(), score: z.number(), passages: z.array(z.string()) })),
		total: z.number(),
	},
	isReadOnly: true,
	isDestructive: false,
	run: async ({ query, limit, containerTag: tag }, { api, space }) => {
		const response = await api.ask("POST", "/v3/search", { q: query, limit, onlyMatchingChunks: true, ...spaceFilter(tag ?? space) });
		const hits = z.object({ results: z.array(hit) }).parse(response).results;
		const isAnswered = hits.some(({ chunks }) => chunks.some(({ isRelevant }) => isRelevant));
		const results = hits.map(({ documentId, title, score, chunks }) => ({ documentId, title, score, passages: chunks.map(passage) }));
		const blocks = results.map(
			({ documentId, title, score, passages }) => `## ${title ?? documentId} [${Math.round(100 * score)}%]\n${passages.join("\n…\n")}`,
		);
		const text =
			blocks.length === 0 ? await nothingFound(api) : [...(isAnswered ? [] : ["Nothing seems to answer this. The nearest is:"]), ...blocks].join("\n\n");
		return { text, structured: { results, total: results.length } };
	},
});

const listDocuments = tool({
	name: "listDocuments",
	title: "List documents",
	description: "Lists stored documents, newest first, with their state.",
	input: { ...page, containerTag },
	output: { documents: z.array(z.object({ ...documentFields, ...timeFields })), pagination },
	isReadOnly: true,
	isDestructive: false,
	run: async ({ page: number, limit, containerTag: tag }, { api, space }) => {
		const response = await api.ask("POST", "/v3/documents/list", { page: number, limit, ...spaceFilter(tag ?? space) });
		const { memories: documents, pagination: pages } = z.object({ memories: z.array(documentRow), pagination }).parse(response);
		const lines = documents.map(({ id, title, type, status }) => `- ${title ?? "(no title)"} (${type}, ${status}) ${id}`);
		return { text: lines.length === 0 ? "There are no documents here." : lines.join("\n"), structured: { documents, pagination: pages } };
	},
});

const getDocument = tool({
	name: "getDocument",
	title: "Read a document",
	description: "Reads one document with its text.",
	input: { documentId: z.string().min(1).max(255).describe("Its id, or the customId it was added with.") },
	output: {
		document: z.object({
			...documentFields,
			...timeFields,
			...{ url: z.string().nullable(), content: z.string().nullable(), contentTruncated: z.boolean() },
		}),
	},
	isReadOnly: true,
	isDestructive: false,
	run: async ({ documentId }, { api }) => {
		const response = await api.ask("GET", `/v3/documents/${encodeURIComponent(documentId)}`);
		const { content: fullText, ...rest } = documentRow.extend({ url: nullableText, content: nullableText }).parse(response);
		const content = fullText?.slice(0, contentCharactersMax).toWellFormed() ?? null;
		const document = { ...rest, content, contentTruncated: (fullText?.length ?? 0) > contentCharactersMax };
		const more = document.contentTruncated ? `\n… (${fullText?.length} characters in all)` : "";
		return { text: `# ${rest.title ?? documentId} (${rest.type}, ${rest.status})\n\n${content ?? "It has no text yet."}${more}`, structured: { document } };
	},
});

export const documentTools: readonly Tool[] = [searchDocuments, listDocuments, getDocument];

/** The filter for one space; for null there is none, and all spaces of the key are searched. */
function spaceFilter(space: string | null): object {
	return space === null ? {} : { containerTags: [space] };
}
