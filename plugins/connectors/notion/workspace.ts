/** What an integration may see of a workspace: pages, and databases with their rows. */

import type { Step } from "cairn-memory";
import { z } from "zod";
import type { KeptPages } from "../kept-pages.ts";
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

/** What the list needs of it, since pages come with all their properties. */
const listedSchema = foundSchema.transform((one) => {
	if (one === null) return null;
	const { id, archived, in_trash, parent } = one;
	const common = { id, isGone: archived || in_trash, ...placeOf(parent) };
	if (one.object === "data_source")
		return { ...common, kind: "database", title: plainText(one.title), above: parentOf(one.database_parent ?? { type: "workspace" }) } as const;
	return { ...common, kind: "page", edited: one.last_edited_time } as const;
});
type Listed = NonNullable<z.infer<typeof listedSchema>>;

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
export async function readWorkspace(api: NotionApi, kept: KeptPages, step: Step): Promise<Workspace> {
	const pages = new Map<string, ListedPage>();
	const parents = new Map<string, string | null>();
	const sources = new Map<string, string>();
	const add = ({ id, isGone, edited, ...place }: Extract<Listed, { kind: "page" }>, database: string | null) => {
		notePlace(id, place, parents);
		if (!isGone) pages.set(id, { id, edited, database });
		step.progress({ done: pages.size, total: pages.size, unit: "page" });
	};
	for await (const found of api.list("search", { sort: { timestamp: "last_edited_time", direction: "ascending" } }, listedSchema, step, kept)) {
		for (const one of found ?? []) {
			if (one?.kind === "page") add(one, null);
			if (one?.kind !== "database" || one.isGone) continue;
			sources.set(one.id, one.title);
			parents.set(one.id, one.inside);
			if (one.inside !== null) parents.set(one.inside, one.above);
		}
		if (pages.size > pagesMax) return { pages, parents, isComplete: false };
	}
	let isComplete = true;
	const cut = () => {
		isComplete = false;
	};
	for (const [id, title] of sources) {
		for await (const rows of api.list(`data_sources/${id}/query`, {}, listedSchema, step, kept, cut))
			for (const row of rows ?? []) if (row?.kind === "page") add(row, title);
		if (pages.size > pagesMax) return { pages, parents, isComplete: false };
	}
	return { pages, parents, isComplete };
}

/** What something is in. */
export interface Place {
	/** Null at the top. */
	readonly inside: string | null;
	/** The database of a data source, which is told beside it: https://developers.notion.com/reference/parent-object */
	readonly container: string | null;
}

export function placeOf(parent: z.infer<typeof parentSchema>): Place {
	const container = parent["database_id"];
	return { inside: parentOf(parent), container: typeof container === "string" ? container : null };
}

/** Search may not name the data source that a row is in. */
export function notePlace(id: string, { inside, container }: Place, parents: Map<string, string | null>): void {
	parents.set(id, inside);
	if (inside !== null && container !== null && container !== inside && !parents.has(inside)) parents.set(inside, container);
}

/** The id under the name of its type; null for the workspace itself. */
function parentOf(parent: z.infer<typeof parentSchema>): string | null {
	const id = parent[parent.type];
	return typeof id === "string" ? id : null;
}
