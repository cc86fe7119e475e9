/** Tools that remember, search, list and forget. They have the names and inputs of Supermemory's MCP server, so that users only change the URL. */

import { z } from "zod";
import { WireError } from "../client/wire-api.ts";
import { nothingFound } from "./nothing-found.ts";
import { page, pagination } from "./paging.ts";
import { profileLines, profileSchema, readProfile } from "./profile.ts";
import { containerTag, defaultSpace, type Tool, type ToolContext, type ToolResult, tool } from "./tool.ts";

const contentCharactersMax = 200_000;
const queryCharactersMax = 1_000;
const resultsMax = 10;
/** A memory that is at least this similar to the text is taken to be the one to forget. */
const forgetSimilarityMin = 0.85;
const candidatesToForget = 5;
const profileFactsMax = 8;

const searchResponse = z.object({
	results: z.array(
		z.object({ id: z.string(), memory: z.string().nullish(), chunk: z.string().nullish(), similarity: z.number(), title: z.string().nullish() }),
	),
	total: z.number(),
	timing: z.number(),
});

export const searchMemory = tool({
	name: "search_memory",
	title: "Search memory",
	description: "Searches what is remembered and what is stored: facts, preferences, past conversations, documents. Use it before answering anything personal.",
	input: {
		query: z.string().min(1).max(queryCharactersMax).describe("What to look for, in plain words."),
		includeProfile: z.boolean().default(true).describe("Whether to add the profile of the space to the result."),
		containerTag,
	},
	output: {
		query: z.string(),
		containerTag: z.string().nullable(),
		profile: profileSchema.optional(),
		results: z.array(z.object({ id: z.string(), text: z.string(), similarity: z.number(), title: z.string().optional() })),
		total: z.number(),
		timing: z.number(),
	},
	isReadOnly: true,
	isDestructive: false,
	run: async ({ query, includeProfile, containerTag: tag }, context) => {
		const space = tag ?? context.space;
		const [profile, response] = await Promise.all([includeProfile ? readProfile(context, tag) : undefined, search(query, context, tag, { limit: resultsMax })]);
		const results = response.results.map(({ id, memory, chunk, similarity, title }) => ({
			...{ id, text: memory ?? chunk ?? "", similarity },
			...(typeof title === "string" ? { title } : {}),
		}));
		const lines = results.map(({ text, similarity }) => `- [${Math.round(100 * similarity)}%] ${text}`);
		const text = [
			...(profile === undefined ? [] : profileLines(profile, profileFactsMax)),
			...(lines.length === 0 ? [await nothingFound(context.api)] : ["Found:", ...lines]),
		];
		return {
			text: text.join("\n"),
			structured: { query, containerTag: space, ...(profile === undefined ? {} : { profile }), results, total: response.total, timing: response.timing },
		};
	},
});

export const addMemory = tool({
	name: "add_memory",
	title: "Add or forget memory",
	description: "Stores something worth remembering (`save`), or forgets a memory that says this (`forget`).",
	input: {
		content: z.string().min(1).max(contentCharactersMax).describe("What to remember, or the words of the memory to forget."),
		action: z.enum(["save", "forget"]).default("save"),
		containerTag,
	},
	output: {
		action: z.enum(["save", "forget"]),
		success: z.boolean(),
		containerTag: z.string(),
		message: z.string(),
		id: z.string().optional(),
		status: z.string().optional(),
	},
	isReadOnly: false,
	isDestructive: true,
	run: async ({ content, action, containerTag: tag }, context) => {
		const space = tag ?? context.space ?? defaultSpace;
		return action === "save" ? save(content, space, context) : forget(content, space, context);
	},
});

const listOutput = {
	memoryEntries: z.array(z.object({ id: z.string(), memory: z.string(), isStatic: z.boolean(), isInference: z.boolean(), updatedAt: z.string() })),
	pagination,
};

export const listMemories = tool({
	name: "listMemories",
	title: "List memories",
	description: "Lists what is remembered, newest first, without what was forgotten or replaced.",
	input: { ...page, containerTag },
	output: listOutput,
	isReadOnly: true,
	isDestructive: false,
	run: async ({ page: number, limit, containerTag: tag }, { api, space }) => {
		const include = { forgottenMemories: false };
		const response = await api.ask("POST", "/v4/memories/list", { containerTags: [tag ?? space ?? defaultSpace], page: number, limit, include });
		const structured = listResponse.parse(response);
		const lines = structured.memoryEntries.map(({ memory }) => `- ${memory}`);
		return { text: lines.length === 0 ? "Nothing is remembered here yet." : lines.join("\n"), structured };
	},
});

export const memoryTools: readonly Tool[] = [searchMemory, addMemory, listMemories];

const listResponse = z.object(listOutput);

async function search(q: string, { api, space }: ToolContext, tag: string | undefined, options: object): Promise<z.output<typeof searchResponse>> {
	const searchedSpace = tag ?? space;
	return searchResponse.parse(
		await api.ask("POST", "/v4/search", { q, searchMode: "hybrid", ...options, ...(searchedSpace === null ? {} : { containerTag: searchedSpace }) }),
	);
}

async function save(content: string, space: string, { api }: ToolContext): Promise<ToolResult> {
	const saveResponse = z.object({ id: z.string(), status: z.string() });
	const { id, status } = saveResponse.parse(await api.ask("POST", "/v3/documents", { content, containerTag: space, dreaming: "instant" }));
	const message = `Saved in ${space}; it can be found in a moment.`;
	return { text: message, structured: { action: "save", success: true, containerTag: space, message, id, status } };
}

/** Forgets the memory with exactly this text; if there is none, the most similar one. */
async function forget(content: string, space: string, context: ToolContext): Promise<ToolResult> {
	const id = (await forgetOne({ content }, space, context)) ?? (await forgetNearest(content, space, context));
	const message = id === null ? `Nothing in ${space} says that.` : `Forgotten in ${space}.`;
	return { text: message, structured: { action: "forget", success: id !== null, containerTag: space, message, ...(id === null ? {} : { id }) } };
}

async function forgetNearest(content: string, space: string, context: ToolContext): Promise<string | null> {
	const query = content.slice(0, queryCharactersMax);
	const { results } = await search(query, context, space, { limit: candidatesToForget, threshold: forgetSimilarityMin });
	const nearest = results.find(({ memory }) => typeof memory === "string");
	return nearest === undefined ? null : forgetOne({ id: nearest.id }, space, context);
}

async function forgetOne(reference: { readonly content: string } | { readonly id: string }, space: string, { api }: ToolContext): Promise<string | null> {
	try {
		return z.object({ id: z.string() }).parse(await api.ask("DELETE", "/v4/memories", { ...reference, containerTag: space })).id;
	} catch (thrown) {
		if (thrown instanceof WireError && thrown.status === 404) return null;
		throw thrown;
	}
}
