/** Lists the folders from which a client chooses: the account's drive and the sites it sees, the libraries of a site, and the folders in each. */

import { type Connector, ServiceError, type Step } from "cairn-memory";
import { z } from "zod";
import type { GraphApi } from "./api.ts";
import { idPattern } from "./config.ts";
import { has, itemSchema } from "./drive-item.ts";

type Listing = NonNullable<Connector["resources"]>["list"];
interface Found {
	readonly [key: string]: string;
	readonly id: string;
	readonly name: string;
	readonly type: "drive" | "site" | "folder";
}

/** A service that goes on forever is left. */
const pagesMax = 1_000;

const named = z.object({ id: z.string(), name: z.string().optional(), displayName: z.string().optional(), webUrl: z.string().optional() });
const listOf = <Schema extends z.ZodType>(schema: Schema) => z.object({ value: z.array(schema), "@odata.nextLink": z.string().optional() });

/** @param page its `parent` is the id of a site, a drive or a folder */
export async function listResources({ page, perPage, parent }: Parameters<Listing>[1], api: GraphApi, step: Step): ReturnType<Listing> {
	const all = parent === null ? await listTop(api, step) : await listInside(parent, api, step);
	return { resources: all.slice((page - 1) * perPage, page * perPage), total: all.length };
}

async function listTop(api: GraphApi, step: Step): Promise<readonly Found[]> {
	const own = await api.json("/me/drive?$select=id,name", named);
	// https://learn.microsoft.com/graph/api/site-search; accounts without SharePoint, and sign-ins that did not allow it, have none.
	const sites = await listPages("/sites?search=*&$select=id,name,displayName,webUrl", named, api, step).catch((thrown: unknown) => {
		if (thrown instanceof ServiceError && (thrown.code === "ITEM_REFUSED" || thrown.code === "ADDRESS_REFUSED")) return [];
		throw thrown;
	});
	return [...(own === null ? [] : [found(own, "drive")]), ...sites.map((site) => found(site, "site"))];
}

async function listInside(parent: string, api: GraphApi, step: Step): Promise<readonly Found[]> {
	// The id of a site is its host and two ids, with commas between them.
	if (/^[\w.-]{1,200},[\w-]{1,64},[\w-]{1,64}$/.test(parent)) {
		const libraries = await listPages(`/sites/${parent}/drives?$select=id,name,webUrl`, named, api, step);
		return libraries.map((library) => ({ ...found(library, "drive"), parent_id: parent }));
	}
	if (!idPattern.test(parent)) return [];
	const [drive = "", folder] = parent.split("/");
	const place = folder === undefined ? "root" : `items/${folder}`;
	const children = await listPages(`/drives/${drive}/${place}/children?$select=id,name,folder,package,remoteItem,webUrl`, itemSchema, api, step);
	return children
		.filter((item) => has(item.folder) && !has(item.package) && !has(item.remoteItem))
		.map((item) => ({ ...found(item, "folder"), id: `${drive}/${item.id}`, parent_id: parent }))
		.toSorted((a, b) => a.name.localeCompare(b.name));
}

async function listPages<Schema extends z.ZodType>(path: string, schema: Schema, api: GraphApi, step: Step): Promise<readonly z.infer<Schema>[]> {
	const all: z.infer<Schema>[] = [];
	let next: string | undefined = path;
	for (let pages = 0; next !== undefined && pages < pagesMax; pages++) {
		step.signal.throwIfAborted();
		const page: z.infer<ReturnType<typeof listOf<Schema>>> | null = await api.json(next, listOf(schema));
		all.push(...(page?.value ?? []));
		next = page?.["@odata.nextLink"];
	}
	return all;
}

function found({ id, name, displayName, webUrl }: z.infer<typeof named>, type: Found["type"]): Found {
	return { id, name: displayName ?? name ?? id, type, ...(webUrl !== undefined && { url: webUrl }) };
}
