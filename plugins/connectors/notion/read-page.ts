/** Reads a page as a document: its properties, then its blocks as Markdown. */

import { type ConnectorItem, limits, type Step } from "cairn-memory";
import { z } from "zod";
import type { NotionApi } from "./api.ts";
import { readBlocks } from "./blocks.ts";
import { blocksToMarkdown } from "./markdown.ts";
import { type Properties, readProperties, shown } from "./properties.ts";
import type { Entry } from "./survey.ts";
import { pageSchema } from "./workspace.ts";

/** The names of users by id; null for one whose name the integration may not know. */
export type UserNames = Map<string, string | null>;

const userSchema = z.object({ name: z.string().nullish() });
/** Of the properties that become metadata. */
const propertiesMax = 50;

/** Null if it is not there any more. */
export async function readPage(entry: Entry, users: UserNames, api: NotionApi, step: Step): Promise<ConnectorItem | null> {
	const page = await api.get(`pages/${entry.id}`, pageSchema, step);
	if (page === null || page.archived || page.in_trash) return null;
	const read = await readBlocks(entry.id, api, step);
	if (read === null) return null;
	const properties = readProperties(page.properties);
	const { title } = properties;
	if (!read.isComplete) step.warn("NOTION_PAGE_TOO_LONG", `${title || entry.id} has too many blocks; only a part of them was read`);
	if (read.refused > 0) step.warn("NOTION_BLOCKS_LEFT_OUT", `${title || entry.id} has ${read.refused} blocks of which Notion does not tell what is inside`);
	const author = page.created_by == null ? null : await nameOf(page.created_by.id, users, api, step);
	const text = [title === "" ? "" : `# ${title}`, listed(properties), blocksToMarkdown(read.blocks)].filter((part) => part !== "").join("\n\n");
	return {
		key: entry.id,
		// A page without any word is one nevertheless: it may get some later.
		content: { kind: "text", text: text === "" ? "Untitled" : text, mediaType: "text/markdown" },
		title: title === "" ? null : title,
		metadata: {
			...asMetadata(properties),
			page: entry.id,
			url: page.url,
			createdAt: page.created_time,
			updatedAt: page.last_edited_time,
			visibility: page.public_url == null ? "private" : "public",
			...(entry.database !== null && entry.database !== "" && { database: entry.database }),
			...(author !== null && { author }),
		},
		containerTag: null,
	};
}

function listed({ values }: Properties): string {
	return [...values].map(([name, value]) => `- ${name}: ${(shown(value) ?? "").replace(/\s+/g, " ")}`).join("\n");
}

/** By names that filters can have. What says where the page comes from takes precedence. */
function asMetadata({ values }: Properties): ConnectorItem["metadata"] {
	const entries = [...values].slice(0, propertiesMax).map(([name, value]) => {
		const key = name.replace(/[^\p{L}\p{N}_.-]+/gu, "_").slice(0, limits.filterKeyCharactersMax);
		return [key, typeof value === "string" ? value.slice(0, limits.metadataTextCharactersMax).toWellFormed() : value] as const;
	});
	return Object.fromEntries(entries.filter(([key]) => key !== "" && key !== "_"));
}

/** An integration without access to users gets no names: https://developers.notion.com/reference/capabilities. */
async function nameOf(id: string, users: UserNames, api: NotionApi, step: Step): Promise<string | null> {
	const known = users.get(id);
	if (known !== undefined) return known;
	const user = await api.get(`users/${id}`, userSchema, step).catch((thrown: unknown) => {
		if (thrown instanceof Error && "code" in thrown && thrown.code === "CONNECTION_FORBIDDEN") return null;
		throw thrown;
	});
	users.set(id, user?.name ?? null);
	return user?.name ?? null;
}
