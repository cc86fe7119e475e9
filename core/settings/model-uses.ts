/** What the language model is asked for. Each use can be switched off: by the operator for all, by an organisation for itself. */

export const modelUses = ["memories", "summaries", "queries", "aggregates", "buckets"] as const;
export type ModelUse = (typeof modelUses)[number];

export function isModelUse(name: string): name is ModelUse {
	return (modelUses as readonly string[]).includes(name);
}
