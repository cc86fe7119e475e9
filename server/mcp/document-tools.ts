/** Tools that search, list and read documents. */

import { z } from "zod";
import { page, pagination } from "./paging.ts";
import { containerTag, type Tool, tool } from "./tool.ts";

/** About 12,000 tokens: a model is not drowned in one file. */
const contentCharactersMax = 50_000;
const queryCharactersMax = 1_000;

const nullableText = z
	.string()
	.nullish()
	.transform((text) => text ?? null);
const row = z.object({
	...{ id: z.string(), title: nullableText, type: z.string(), status: z.string(), summary: nullableText },
	...{ createdAt: z.string(), updatedAt: z.string() },
});
const shownRow = { id: z.string(), title: z.string().nullable(), type: z.string(), status: z.string(), summary: z.string().nullable() };
const times = { createdAt: z.string(), updatedAt: z.string() };
const hit = z.object({
	documentId: z.string(),
	title: nullableText,
	score: z.number(),
	chunks: z.array(z.object({ content: z.string(), isRelevant: z.boolean() })),
});

const searchDocuments = tool({
	name: "search_documents",
	title: "Search documents",
	description: "Searches documents and files alone and answers the passages that fit, best document first.",
	input: { query: z.string().min(1).max(queryCharactersMax), limit: z.number().int().min(1).max(20).default(5), containerTag },
	output: {
		results: z.array(z.object({ documentId: z.string(), title: z.string().nullable(), score: z.number(), passages: z.array(z.string()) })),
		total: z.number(),
	},
	isReadOnly: true,
	isDestructive: false,
	run: async ({ query, limit, containerTag: tag }, { api, space }) => {
		const answer = await api.ask("POST", "/v3/search", { q: query, limit, onlyMatchingChunks: true, ...within(tag ?? space) });
		const results = z
			.object({ results: z.array(hit) })
			.parse(answer)
			.results.map(({ documentId, title, score, chunks }) => ({ documentId, title, score, passages: chunks.map(({ content }) => content) }));
		const blocks = results.map(
			({ documentId, title, score, passages }) => `## ${title ?? documentId} [${Math.round(100 * score)}%]\n${passages.join("\n…\n")}`,
		);
		return { text: blocks.length === 0 ? "Nothing was found." : blocks.join("\n\n"), structured: { results, total: results.length } };
	},
});

const listDocuments = tool({
	name: "listDocuments",
	title: "List documents",
	description: "Lists stored documents, newest first, with their state.",
	input: { ...page, containerTag },
	output: { documents: z.array(z.object({ ...shownRow, ...times })), pagination },
	isReadOnly: true,
	isDestructive: false,
	run: async ({ page: number, limit, containerTag: tag }, { api, space }) => {
		const answer = await api.ask("POST", "/v3/documents/list", { page: number, limit, ...within(tag ?? space) });
		const { memories: documents, pagination: pages } = z.object({ memories: z.array(row), pagination }).parse(answer);
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
			...shownRow,
			...times,
			...{ url: z.string().nullable(), content: z.string().nullable(), contentTruncated: z.boolean() },
		}),
	},
	isReadOnly: true,
	isDestructive: false,
	run: async ({ documentId }, { api }) => {
		const answer = await api.ask("GET", `/v3/documents/${encodeURIComponent(documentId)}`);
		const { content: whole, ...rest } = row.extend({ url: nullableText, content: nullableText }).parse(answer);
		const content = whole?.slice(0, contentCharactersMax).toWellFormed() ?? null;
		const document = { ...rest, content, contentTruncated: (whole?.length ?? 0) > contentCharactersMax };
		const more = document.contentTruncated ? `\n… (${whole?.length} characters in all)` : "";
		return { text: `# ${rest.title ?? documentId} (${rest.type}, ${rest.status})\n\n${content ?? "It has no text yet."}${more}`, structured: { document } };
	},
});

export const documentTools: readonly Tool[] = [searchDocuments, listDocuments, getDocument];

/** All spaces that the key may see where none is named. */
function within(space: string | null): object {
	return space === null ? {} : { containerTags: [space] };
}
