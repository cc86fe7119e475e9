/** Asks a query rewriter. One that uses the language model gets little time, and its failures never fail the search. */

import { soon } from "../language/soon.ts";
import { limits } from "../model/limits.ts";
import type { QueryRewriter, Step } from "../plugin/contract.ts";

export async function rewritingsBy(rewriter: QueryRewriter, query: string, step: Step): Promise<readonly string[]> {
	if (rewriter.asksModel !== true) return rewriter.rewrite(query, step);
	if (step.model === undefined) return [];
	try {
		return (await soon(limits.modelRewriteMsMax, step.signal, () => rewriter.rewrite(query, step))) ?? [];
	} catch (thrown) {
		if (step.signal.aborted) throw thrown;
		step.log("debug", "a query is not rewritten by the language model", { reason: thrown instanceof Error ? thrown.message : String(thrown) });
		return [];
	}
}
