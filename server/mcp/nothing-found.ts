/** What a search says that has found nothing: an agent that has just saved something would take it for lost. */

import { z } from "zod";
import type { WireApi } from "../client/wire-api.ts";

const processing = z.object({ totalCount: z.number() });

/** @returns a sentence, and another one if documents that the key may see are still being read */
export async function nothingFound(api: Pick<WireApi, "ask">): Promise<string> {
	const { totalCount } = processing.parse(await api.ask("GET", "/v3/documents/processing?limit=1"));
	if (totalCount === 0) return "Nothing was found.";
	return `Nothing was found. ${totalCount === 1 ? "A document is" : `${totalCount} documents are`} still being read: search again in a moment.`;
}
