/** Decides which pages are documents, and which are gone. */

import type { Host, Step } from "cairn-memory";
import { z } from "zod";
import { type KeptPages, unkept } from "../kept-pages.ts";
import { remembered } from "../remembered.ts";
import type { Listing } from "../sync-listing.ts";
import type { NotionApi } from "./api.ts";
import type { NotionConfig } from "./config.ts";
import { type ListedPage, notePlace, type Place, pageSchema, placeOf, readWorkspace } from "./workspace.ts";

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
	const { pages, parents: listed, isComplete } = await readWorkspace(api, kept, step);
	const found = new Map(pages);
	const parents = new Map(listed);
	let isBinned = false;
	// Search leaves out what it has not indexed yet, so a page is gone only if it says so itself.
	for (const key of known.keys()) {
		if (found.has(key)) continue;
		const state = await kept.page(`pages/${key}`, () => stateOf(key, api, step));
		if (state === "in the bin") isBinned = true;
		if (state === null || state === "in the bin") continue;
		found.set(key, { id: key, edited: state.edited, database: null });
		notePlace(key, state, parents);
	}
	const isChosen = chosenBy(config.pages, parents, api, kept, step);
	const entries = new Map<string, Entry>();
	const now = host.world.now().getTime();
	for (const page of found.values()) {
		// Where nobody knows, a page that is known and that search left out stays.
		if (!((await isChosen(page.id)) ?? !pages.has(page.id))) continue;
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
	if (state === null || state === "in the bin") return false;
	const parents = new Map<string, string | null>();
	notePlace(id, state, parents);
	return (await chosenBy(chosen, parents, api, unkept, step)(id)) ?? true;
}

type PageState = (Place & { readonly edited: string }) | "in the bin" | null;

/** Null for a page that is not there, or that the account may not see. */
async function stateOf(id: string, api: NotionApi, step: Step): Promise<PageState> {
	const page = await api.get(`pages/${id}`, pageSchema, step);
	if (page === null) return null;
	return page.archived || page.in_trash ? "in the bin" : { edited: page.last_edited_time, ...placeOf(page.parent) };
}

/**
 * Whether a page is one of the chosen, or in one of them; null where something above cannot be read, so that nobody knows. Blocks that pages are in
 * are asked for once.
 */
function chosenBy(
	chosen: readonly string[],
	parents: Map<string, string | null>,
	api: NotionApi,
	kept: Pick<KeptPages, "page">,
	step: Step,
): (id: string) => Promise<boolean | null> {
	const roots = new Set(chosen);
	const placeIn = remembered((id) => kept.page(`blocks/${id}/place`, () => placeOfBlock(id, api, step)));
	return async (id) => {
		if (roots.size === 0) return true;
		let at: string | null = id;
		for (let up = 0; at !== null && up < ancestorsMax; up++) {
			if (roots.has(at)) return true;
			const inside: string = at;
			if (!parents.has(inside)) {
				const place = await placeIn(inside);
				if (place === null) return null;
				notePlace(inside, place, parents);
			}
			at = parents.get(inside) ?? null;
		}
		return false;
	};
}

/** Null if Notion does not tell: pages and databases are blocks too, but data sources are none. */
async function placeOfBlock(id: string, api: NotionApi, step: Step): Promise<Place | null> {
	const block = await api.get(`blocks/${id}`, blockSchema, step);
	return block === null ? null : placeOf(block.parent);
}
