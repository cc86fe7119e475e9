/** The tasks that the language model is used for. Each can be disabled: by the operator for everybody, or by an organisation for itself. */

export const modelUses = ["memories", "summaries", "queries", "aggregates", "buckets"] as const;
export type ModelUse = (typeof modelUses)[number];

export function isModelUse(name: string): name is ModelUse {
	return (modelUses as readonly string[]).includes(name);
}
