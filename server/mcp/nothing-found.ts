/** What a search says that has found nothing: an agent that has just saved something would take it for lost. */

import { z } from "zod";
import type { WireApi } from "../client/wire-api.ts";

const processing = z.object({ totalCount: z.number() });

/** @returns a sentence, and another one if documents that the key may see, in any container, are still being read */
export async function nothingFound(api: Pick<WireApi, "ask">): Promise<string> {
	const counted = await countProcessing(api).catch(() => 0);
	if (counted === 0) return "Nothing was found.";
	const documents = counted === 1 ? "One document is" : `${counted} documents are`;
	return `Nothing was found. ${documents} still being read, and not found until then.`;
}

/** Throws for a key that may search and may not ask this. */
async function countProcessing(api: Pick<WireApi, "ask">): Promise<number> {
	return processing.parse(await api.ask("GET", "/v3/documents/processing?limit=1")).totalCount;
}
