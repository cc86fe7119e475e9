/** Reads the blocks of a page, those inside of blocks as well. */

import { fail, ServiceError, type Step } from "cairn-memory";
import { z } from "zod";
import type { NotionApi } from "./api.ts";

export interface Block {
	readonly type: string;
	/** What the block has under the name of its type. */
	readonly data: Readonly<Record<string, unknown>>;
	readonly children: readonly Block[];
}

export interface Blocks {
	readonly blocks: readonly Block[];
	/** False if there are more than are read. */
	readonly isComplete: boolean;
	/** Blocks inside of which something is that Notion does not hand out. */
	readonly refused: number;
}

const blockSchema = z.looseObject({ id: z.string(), type: z.string(), has_children: z.boolean().default(false), in_trash: z.boolean().optional() });

/** At three requests a second, a page whose blocks all have some inside takes ten minutes. */
const requestsMax = 2_000;
const blocksMax = 20_000;
const depthMax = 30;
/** They are documents of their own. */
const ownDocuments: ReadonlySet<string> = new Set(["child_page", "child_database"]);

/** Null if the page is not there any more. */
export async function readBlocks(page: string, api: NotionApi, step: Step): Promise<Blocks | null> {
	let [requests, count, refused] = [0, 0, 0];
	let isComplete = true;

	async function inside(id: string, depth: number): Promise<readonly Block[] | null> {
		const found: Block[] = [];
		for await (const results of api.list(`blocks/${id}/children`, null, blockSchema, step)) {
			// A synced block may come from a page that is not shared with the integration.
			if (results === null) return null;
			requests++;
			for (const block of results) {
				count++;
				if (count > blocksMax || requests > requestsMax || depth > depthMax) isComplete = false;
				if (!isComplete) return found;
				if (block.in_trash === true) continue;
				const hasOwn = block.has_children && !ownDocuments.has(block.type);
				const children = hasOwn ? ((await insideOf(block.id, depth + 1)) ?? []) : [];
				found.push({ type: block.type, data: z.record(z.string(), z.unknown()).safeParse(block[block.type]).data ?? {}, children });
			}
		}
		return found;
	}

	/** One block of a kind that the API does not know, such as those of Notion's AI, has all that are beside it refused. */
	async function insideOf(id: string, depth: number): Promise<readonly Block[] | null> {
		try {
			return await inside(id, depth);
		} catch (thrown) {
			if (!(thrown instanceof ServiceError) || thrown.code !== "ADDRESS_REFUSED") throw thrown;
			if (depth === 0) throw fail("ITEM_REFUSED", "the page", thrown.cause instanceof Error ? thrown.cause.message : thrown.message);
			refused++;
			return [];
		}
	}

	const blocks = await insideOf(page, 0);
	return blocks === null ? null : { blocks, isComplete, refused };
}
