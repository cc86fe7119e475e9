/** Tools that remember, search, list and forget. Names and inputs are those of Supermemory's server, so that users only change the address. */

import { z } from "zod";
import { WireError } from "../client/wire-api.ts";
import { page, pagination } from "./paging.ts";
import { profileLines, profileShape, readProfile } from "./profile.ts";
import { containerTag, defaultSpace, type Tool, type ToolAnswer, type ToolContext, tool } from "./tool.ts";

const contentCharactersMax = 200_000;
const queryCharactersMax = 1_000;
const resultsMax = 10;
/** From this similarity on, a memory is the one that is to be forgotten. */
const sameMemory = 0.85;
const candidatesToForget = 5;
const profileFactsMax = 8;

const found = z.object({
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
		includeProfile: z.boolean().default(true).describe("Whether the profile of the space comes along."),
		containerTag,
	},
	output: {
		query: z.string(),
		containerTag: z.string().nullable(),
		profile: profileShape.optional(),
		results: z.array(z.object({ id: z.string(), text: z.string(), similarity: z.number(), title: z.string().optional() })),
		total: z.number(),
		timing: z.number(),
	},
	isReadOnly: true,
	isDestructive: false,
	run: async ({ query, includeProfile, containerTag: tag }, context) => {
		const space = tag ?? context.space;
		const [profile, searched] = await Promise.all([includeProfile ? readProfile(context, tag) : undefined, search(query, context, tag, { limit: resultsMax })]);
		const results = searched.results.map(({ id, memory, chunk, similarity, title }) => ({
			...{ id, text: memory ?? chunk ?? "", similarity },
			...(typeof title === "string" ? { title } : {}),
		}));
		const lines = results.map(({ text, similarity }) => `- [${Math.round(100 * similarity)}%] ${text}`);
		const text = [
			...(profile === undefined ? [] : profileLines(profile, profileFactsMax)),
			...(lines.length === 0 ? ["Nothing was found."] : ["Found:", ...lines]),
		];
		return {
			text: text.join("\n"),
			structured: { query, containerTag: space, ...(profile === undefined ? {} : { profile }), results, total: searched.total, timing: searched.timing },
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

export const listMemories = tool({
	name: "listMemories",
	title: "List memories",
	description: "Lists what is remembered, newest first, without what was forgotten or replaced.",
	input: { ...page, containerTag },
	output: {
		memoryEntries: z.array(z.object({ id: z.string(), memory: z.string(), isStatic: z.boolean(), isInference: z.boolean(), updatedAt: z.string() })),
		pagination,
	},
	isReadOnly: true,
	isDestructive: false,
	run: async ({ page: number, limit, containerTag: tag }, { api, space }) => {
		const answer = await api.ask("POST", "/v4/memories/list", { containerTags: [tag ?? space ?? defaultSpace], page: number, limit });
		const { memoryEntries, ...rest } = listed.parse(answer);
		const current = memoryEntries.filter(({ isForgotten }) => !isForgotten).map(({ isForgotten: _, ...entry }) => entry);
		const lines = current.map(({ memory }) => `- ${memory}`);
		return { text: lines.length === 0 ? "Nothing is remembered here yet." : lines.join("\n"), structured: { memoryEntries: current, ...rest } };
	},
});

export const memoryTools: readonly Tool[] = [searchMemory, addMemory, listMemories];

const listed = z.object({
	memoryEntries: z.array(
		z.object({ id: z.string(), memory: z.string(), isStatic: z.boolean(), isInference: z.boolean(), isForgotten: z.boolean(), updatedAt: z.string() }),
	),
	pagination,
});

async function search(q: string, { api, space }: ToolContext, tag: string | undefined, wanted: object): Promise<z.output<typeof found>> {
	const within = tag ?? space;
	return found.parse(await api.ask("POST", "/v4/search", { q, searchMode: "hybrid", ...wanted, ...(within === null ? {} : { containerTag: within }) }));
}

async function save(content: string, space: string, { api }: ToolContext): Promise<ToolAnswer> {
	const receipt = z.object({ id: z.string(), status: z.string() });
	const { id, status } = receipt.parse(await api.ask("POST", "/v3/documents", { content, containerTag: space, dreaming: "instant" }));
	const message = `Saved in ${space}; it can be found in a moment.`;
	return { text: message, structured: { action: "save", success: true, containerTag: space, message, id, status } };
}

/** Forgets the memory with exactly this text, else the most similar one. */
async function forget(content: string, space: string, context: ToolContext): Promise<ToolAnswer> {
	const id = (await forgetOne({ content }, space, context)) ?? (await forgetNearest(content, space, context));
	const message = id === null ? `Nothing in ${space} says that.` : `Forgotten in ${space}.`;
	return { text: message, structured: { action: "forget", success: id !== null, containerTag: space, message, ...(id === null ? {} : { id }) } };
}

async function forgetNearest(content: string, space: string, context: ToolContext): Promise<string | null> {
	const query = content.slice(0, queryCharactersMax);
	const { results } = await search(query, context, space, { limit: candidatesToForget, threshold: sameMemory });
	const nearest = results.find(({ memory }) => typeof memory === "string");
	return nearest === undefined ? null : forgetOne({ id: nearest.id }, space, context);
}

async function forgetOne(which: { readonly content: string } | { readonly id: string }, space: string, { api }: ToolContext): Promise<string | null> {
	try {
		return z.object({ id: z.string() }).parse(await api.ask("DELETE", "/v4/memories", { ...which, containerTag: space })).id;
	} catch (thrown) {
		if (thrown instanceof WireError && thrown.status === 404) return null;
		throw thrown;
	}
}
