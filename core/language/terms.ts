/** What the operator allows the language model to be used for, its budgets and its prices. */

import type { ModelUse } from "../settings/model-uses.ts";

export interface ModelTerms {
	/** The allowed uses; an organisation may switch off more. */
	readonly uses: readonly ModelUse[];
	/** For the memories of one document, second tries included. */
	readonly callsPerDocumentMax: number;
	/** Of all documents together. */
	readonly callsAtOnce: number;
	readonly timeoutMs: number;
	/** Of an organisation, input and output together; null for no bound. A day is one of UTC. */
	readonly tokensPerDay: number | null;
	/** Of each container. */
	readonly containerTokensPerDay: number | null;
	/** For what each key hands in. */
	readonly keyTokensPerDay: number | null;
	/** For a million tokens, in whatever currency; null when it costs nothing or no price is set. */
	readonly prices: Prices | null;
}

export interface Prices {
	readonly input: number;
	readonly output: number;
}
