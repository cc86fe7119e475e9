/** Tools about spaces (Supermemory's name for containers) and about the API key. */

import { z } from "zod";
import { type WireApi, WireError } from "../client/wire-api.ts";
import { pagination } from "./paging.ts";
import { profileLines, profileSchema, readProfile } from "./profile.ts";
import { containerTag, defaultSpace, type Tool, type ToolContext, tool } from "./tool.ts";

const profileFactsMax = 50;

const spaceRow = z.object({
	...{ name: z.string(), containerTag: z.string(), description: z.string().nullish(), visibility: z.string().nullish(), emoji: z.string().nullish() },
	...{ documentCount: z.number(), memoryCount: z.number(), lastActivityAt: z.string().nullish() },
});

export type Space = z.output<typeof spaceRow>;

export async function readSpaces({ api }: ToolContext): Promise<readonly Space[]> {
	try {
		return z.array(spaceRow).parse(await api.ask("GET", "/v3/container-tags/list"));
	} catch (thrown) {
		if (thrown instanceof WireError && thrown.status === 403) return spacesOfSession(api);
		throw thrown;
	}
}

/** The spaces of a key that is limited to some endpoints: it may not list containers, but may read its own from the session. */
async function spacesOfSession(api: WireApi): Promise<readonly Space[]> {
	const { containerTags } = sessionSchema.parse(await api.ask("GET", "/v3/session"));
	const count = async (path: "/v3/documents/list" | "/v4/memories/list", tag: string) =>
		z.object({ pagination }).parse(await api.ask("POST", path, { containerTags: [tag], page: 1, limit: 1 })).pagination.totalItems;
	return Promise.all(
		(containerTags ?? []).map(async ({ containerTag: tag }) => {
			const [documentCount, memoryCount] = await Promise.all([count("/v3/documents/list", tag), count("/v4/memories/list", tag)]);
			return { name: tag, containerTag: tag, documentCount, memoryCount };
		}),
	);
}

export function spaceLine({ name, containerTag: tag, documentCount, memoryCount }: Space): string {
	const documents = documentCount === 1 ? "1 document" : `${documentCount} documents`;
	const memories = memoryCount === 1 ? "1 memory" : `${memoryCount} memories`;
	return `- ${name === tag ? tag : `${name} (${tag})`}: ${documents}, ${memories}`;
}

const getProfile = tool({
	name: "get_profile",
	title: "Read the profile",
	description: "Reads what is known about the person or topic of a space: lasting facts, and current ones.",
	input: { containerTag },
	output: { containerTag: z.string(), profile: profileSchema },
	isReadOnly: true,
	isDestructive: false,
	run: async ({ containerTag: tag }, context) => {
		const profile = await readProfile(context, tag);
		const lines = profileLines(profile, profileFactsMax);
		return {
			text: lines.length === 0 ? "Nothing is known yet." : lines.join("\n"),
			structured: { containerTag: tag ?? context.space ?? defaultSpace, profile },
		};
	},
});

const listSpaces = tool({
	name: "listSpaces",
	title: "List spaces",
	description: "Lists the spaces (container tags) that this key may see.",
	input: {},
	output: { spaces: z.array(spaceRow), count: z.number() },
	isReadOnly: true,
	isDestructive: false,
	run: async (_, context) => {
		const spaces = await readSpaces(context);
		return { text: spaces.length === 0 ? "There are no spaces yet." : spaces.map(spaceLine).join("\n"), structured: { spaces, count: spaces.length } };
	},
});

const sessionSchema = z.object({
	user: z.object({ id: z.string(), email: z.string().optional(), name: z.string().optional() }),
	role: z.string().optional(),
	accessType: z.string().optional(),
	containerTags: z.array(z.object({ containerTag: z.string(), permission: z.string() })).nullish(),
});

const whoAmI = tool({
	name: "whoAmI",
	title: "Who am I",
	description: "Tells who owns this key, what it may do, and which space is used.",
	input: {},
	output: {
		...{ userId: z.string(), email: z.string().optional(), name: z.string().optional(), role: z.string().nullable(), accessType: z.string().nullable() },
		...{ activeSpace: z.string().nullable(), assignedSpaces: z.array(z.object({ containerTag: z.string(), permission: z.string() })).nullable() },
	},
	isReadOnly: true,
	isDestructive: false,
	run: async (_, { api, space }) => {
		const { user, role = null, accessType = null, containerTags = null } = sessionSchema.parse(await api.ask("GET", "/v3/session"));
		const { id: userId, ...names } = user;
		const structured = { userId, ...names, role, accessType, activeSpace: space, assignedSpaces: containerTags };
		const spaces = containerTags === null ? "all spaces" : containerTags.map(({ containerTag: tag, permission }) => `${tag} (${permission})`).join(", ");
		return { text: `${names.name ?? userId}, ${role ?? "no role"}; may see ${spaces}; uses ${space ?? defaultSpace}.`, structured };
	},
});

export const spaceTools: readonly Tool[] = [getProfile, listSpaces, whoAmI];
