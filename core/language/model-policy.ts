/** The operator's limits for the language model: the allowed uses, the budgets, and the prices. */

import type { ModelUse } from "../settings/model-uses.ts";

export interface ModelPolicy {
	/** The allowed uses; an organisation may switch off some of them. */
	readonly uses: readonly ModelUse[];
	/** The most calls for the memories of one document, including retries. */
	readonly callsPerDocumentMax: number;
	/** The most concurrent calls for all documents together. */
	readonly concurrentCallsMax: number;
	readonly timeoutMs: number;
	/** The most input and output tokens of an organisation for each day (UTC); null for no limit. */
	readonly tokensPerDay: number | null;
	/** The same for each container. */
	readonly containerTokensPerDay: number | null;
	/** The same for the requests and documents of each key. */
	readonly keyTokensPerDay: number | null;
	/** Null if no price is set. */
	readonly prices: TokenPrices | null;
}

/** Prices per million tokens, in the operator's currency. */
export interface TokenPrices {
	readonly input: number;
	readonly output: number;
}
