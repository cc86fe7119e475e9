/** Decides which pages are documents, and which are gone. */

import type { Host, Step } from "cairn-memory";
import { z } from "zod";
import { type KeptPages, unkept } from "../kept-pages.ts";
import type { Listing } from "../sync-listing.ts";
import type { NotionApi } from "./api.ts";
import type { NotionConfig } from "./config.ts";
import { type ListedPage, pageSchema, parentOf, readWorkspace } from "./workspace.ts";

export interface Entry extends ListedPage {
	readonly version: string;
}

const blockSchema = z.object({ parent: z.looseObject({ type: z.string() }) });
/** Pages are in blocks, blocks in blocks. */
const ancestorsMax = 100;
/**
 * Notion rounds times to the minute: what is edited in the minute in which it was read has no later time. Such a version is marked,
 * so the page is read once more.
 */
const unsettledMs = 2 * 60_000;

export async function survey(
	config: NotionConfig,
	known: ReadonlyMap<string, string>,
	api: NotionApi,
	kept: KeptPages,
	host: Host,
	step: Step,
): Promise<Listing<Entry>> {
	const { pages, parents, isComplete } = await readWorkspace(api, kept, step);
	const found = new Map(pages);
	let isBinned = false;
	// Search leaves out what it has not indexed yet, so a page is gone only if it says so itself.
	for (const key of known.keys()) {
		if (found.has(key)) continue;
		const state = await kept.page(`states/${key}`, () => stateOf(key, api, step));
		if (state === "in the bin") isBinned = true;
		else if (state !== null) found.set(key, { id: key, edited: state.edited, database: null });
	}
	const isChosen = chosenBy(config.pages, new Map(parents), api, kept, step);
	const entries = new Map<string, Entry>();
	const now = host.world.now().getTime();
	for (const page of found.values()) {
		if (!(await isChosen(page.id))) continue;
		const isUnsettled = now - Date.parse(page.edited) < unsettledMs;
		entries.set(page.id, { ...page, version: `${page.edited}${isUnsettled ? "~" : ""}` });
	}
	if (!isComplete) step.warn("NOTION_TOO_MANY_PAGES", "only a part of the pages was listed; choose some of them with configure");
	// A page that says itself that it is in the bin shows that the account still sees it.
	return { wanted: entries, isEmpty: found.size === 0 && !isBinned, isGone: () => true };
}

/** Asks for everything anew, whatever an earlier attempt was told. */
export async function isThere(id: string, chosen: readonly string[], api: NotionApi, step: Step): Promise<boolean> {
	const state = await stateOf(id, api, step);
	return state !== null && state !== "in the bin" && (await chosenBy(chosen, new Map(), api, unkept, step)(id));
}

type PageState = { readonly edited: string } | "in the bin" | null;

/** Null for a page that is not there, or that the account may not see. */
async function stateOf(id: string, api: NotionApi, step: Step): Promise<PageState> {
	const page = await api.get(`pages/${id}`, pageSchema, step);
	if (page === null) return null;
	return page.archived || page.in_trash ? "in the bin" : { edited: page.last_edited_time };
}

/** Whether a page is one of the chosen, or in one of them. Blocks that pages are in are asked for once. */
function chosenBy(
	chosen: readonly string[],
	parents: Map<string, string | null>,
	api: NotionApi,
	kept: Pick<KeptPages, "page">,
	step: Step,
): (id: string) => Promise<boolean> {
	const roots = new Set(chosen);
	return async (id) => {
		if (roots.size === 0) return true;
		let at: string | null = id;
		for (let up = 0; at !== null && up < ancestorsMax; up++) {
			if (roots.has(at)) return true;
			const inside: string = at;
			if (!parents.has(inside)) parents.set(inside, await kept.page(`blocks/${inside}`, () => parentOfBlock(inside, api, step)));
			at = parents.get(inside) ?? null;
		}
		return false;
	};
}

async function parentOfBlock(id: string, api: NotionApi, step: Step): Promise<string | null> {
	const block = await api.get(`blocks/${id}`, blockSchema, step);
	return block === null ? null : parentOf(block.parent);
}
