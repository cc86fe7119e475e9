/** What an integration may see of a workspace: pages, and databases with their rows. */

import type { Step } from "cairn-memory";
import { z } from "zod";
import type { NotionApi } from "./api.ts";
import { plainText, richTextSchema } from "./rich-text.ts";

const parentSchema = z.looseObject({ type: z.string() });
const userSchema = z.object({ id: z.string() }).nullish();

export const pageSchema = z.object({
	object: z.literal("page"),
	id: z.string(),
	created_time: z.string(),
	last_edited_time: z.string(),
	created_by: userSchema,
	archived: z.boolean().default(false),
	in_trash: z.boolean().default(false),
	parent: parentSchema,
	url: z.string().default(""),
	public_url: z.string().nullish(),
	properties: z.record(z.string(), z.unknown()).default({}),
});
export type Page = z.infer<typeof pageSchema>;

export const dataSourceSchema = z.object({
	object: z.literal("data_source"),
	id: z.string(),
	last_edited_time: z.string().default(""),
	archived: z.boolean().default(false),
	in_trash: z.boolean().default(false),
	parent: parentSchema,
	/** Where the database is that the data source belongs to. */
	database_parent: parentSchema.nullish(),
	url: z.string().default(""),
	title: richTextSchema.default([]),
});

/** What is neither is of a kind that came later. */
export const foundSchema = z.union([pageSchema, dataSourceSchema, z.object({ object: z.string() }).transform(() => null)]);

export interface ListedPage {
	readonly id: string;
	readonly edited: string;
	/** The title of the database whose row it is. */
	readonly database: string | null;
}

export interface Workspace {
	readonly pages: ReadonlyMap<string, ListedPage>;
	/** The id of what each page, data source or database is in; null at the top. */
	readonly parents: ReadonlyMap<string, string | null>;
	/** False if the list is not known to be whole. */
	readonly isComplete: boolean;
}

/** Above this a connection should be limited to some pages. */
const pagesMax = 200_000;

/**
 * Search may leave out pages that were shared a moment ago, see https://developers.notion.com/reference/search-optimizations-and-limitations;
 * rows are asked for database by database as well.
 */
export async function readWorkspace(api: NotionApi, step: Step): Promise<Workspace> {
	const pages = new Map<string, ListedPage>();
	const parents = new Map<string, string | null>();
	const sources = new Map<string, string>();
	const add = (page: Page, database: string | null) => {
		const [inside, container] = [parentOf(page.parent), page.parent["database_id"]];
		parents.set(page.id, inside);
		// The database of a data source that search did not name.
		if (inside !== null && typeof container === "string" && container !== inside && !parents.has(inside)) parents.set(inside, container);
		if (!page.archived && !page.in_trash) pages.set(page.id, { id: page.id, edited: page.last_edited_time, database });
		step.progress({ done: pages.size, total: pages.size, unit: "page" });
	};
	for await (const found of api.list("search", { sort: { timestamp: "last_edited_time", direction: "ascending" } }, foundSchema, step)) {
		for (const one of found ?? []) {
			if (one?.object === "page") add(one, null);
			if (one?.object !== "data_source" || one.archived || one.in_trash) continue;
			sources.set(one.id, plainText(one.title));
			const database = parentOf(one.parent);
			parents.set(one.id, database);
			if (database !== null) parents.set(database, parentOf(one.database_parent ?? { type: "workspace" }));
		}
		if (pages.size > pagesMax) return { pages, parents, isComplete: false };
	}
	for (const [id, title] of sources) {
		for await (const rows of api.list(`data_sources/${id}/query`, {}, foundSchema, step))
			for (const row of rows ?? []) if (row?.object === "page") add(row, title);
		if (pages.size > pagesMax) return { pages, parents, isComplete: false };
	}
	return { pages, parents, isComplete: true };
}

/** The id under the name of its type; null for the workspace itself. */
export function parentOf(parent: z.infer<typeof parentSchema>): string | null {
	const id = parent[parent.type];
	return typeof id === "string" ? id : null;
}
