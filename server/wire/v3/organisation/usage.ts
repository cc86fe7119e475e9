/** `/v3/usage`: the requested days, and the costs of the language model. */

import { Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import type { Spent } from "../../../../core/language/ledger.ts";
import type { Usage } from "../../../../core/language/usage-service.ts";
import { modelUses } from "../../../../core/settings/model-uses.ts";
import { reader } from "../../requests/reader.ts";

const date = (description: string) =>
	Type.Optional(Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", expected: "a day such as 2026-01-31", description }));

export const usageQuery = Type.Object({
	from: date("The first day, of UTC. Without it thirty days are told."),
	to: date("The last day; today unless it is said."),
});

const readQuery = reader(usageQuery);

/** @throws ServiceError `INPUT_INVALID` */
export function parseUsage(raw: unknown): { readonly from: string | null; readonly to: string | null } {
	const { from = null, to = null } = readQuery(raw);
	for (const [name, given] of Object.entries({ from, to }))
		if (given !== null && new Date(`${given}T00:00:00Z`).toJSON()?.slice(0, 10) !== given) throw fail("INPUT_INVALID", `${name}: there is no day ${given}`);
	return { from, to };
}

const spentFields = {
	calls: Type.Integer({ description: "Calls with a cost; stored answers are not counted." }),
	inputTokens: Type.Integer(),
	outputTokens: Type.Integer(),
	cost: Type.Number({ description: "By `CAIRN_MODEL_PRICES` at that time; 0 without prices." }),
};
const nullable = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

export const usageSchema = Type.Object(
	{
		from: Type.String(),
		to: Type.String(),
		model: Type.Union([Type.String(), Type.Null()], { description: "The current provider and model; null for none." }),
		budget: Type.Object({
			tokensPerDay: nullable("Of the organisation; null for no limit."),
			containerTokensPerDay: nullable("Of each container; null for no limit."),
			keyTokensPerDay: nullable("Of the documents added by each key; null for no limit."),
			tokensToday: Type.Integer({ description: "Spent by the organisation so far." }),
		}),
		total: Type.Object(spentFields),
		days: Type.Array(
			Type.Object({
				date: Type.String(),
				...spentFields,
				containers: Type.Array(Type.Object({ containerTag: Type.String(), ...spentFields })),
				keys: Type.Array(Type.Object({ keyId: Type.String({ description: "Documents of connections have none." }), ...spentFields })),
				uses: Type.Array(Type.Object({ use: Type.String({ description: `What it was asked for: ${modelUses.join(", ")}.` }), ...spentFields })),
			}),
		),
		embeddings: Type.Array(
			Type.Object({
				date: Type.String(),
				embedder: Type.String(),
				calls: Type.Integer(),
				inputTokens: Type.Integer(),
				cost: Type.Number({ description: "By the configured price at that time; 0 without one." }),
			}),
			{ description: "Costs of embedding services, which are in no total and under no budget." },
		),
	},
	{ $id: "Usage" },
);

export function toUsage({ from, to, model, terms, tokensToday, total, days, embeddings }: Usage) {
	return {
		from,
		to,
		model,
		budget: {
			tokensPerDay: terms?.tokensPerDay ?? null,
			containerTokensPerDay: terms?.containerTokensPerDay ?? null,
			keyTokensPerDay: terms?.keyTokensPerDay ?? null,
			tokensToday,
		},
		total: toSpent(total),
		days: days.map((day) => ({
			date: day.date,
			...toSpent(day),
			containers: day.containers.map((each) => ({ containerTag: each.containerTag ?? "", ...toSpent(each) })),
			keys: day.keys.map((each) => ({ keyId: each.key ?? "", ...toSpent(each) })),
			uses: day.uses.map((each) => ({ use: each.use ?? "", ...toSpent(each) })),
		})),
		embeddings: embeddings.map((each) => {
			const { calls, inputTokens, cost } = toSpent(each);
			return { date: each.date, embedder: each.embedder ?? "", calls, inputTokens, cost };
		}),
	};
}

/** Rounds away floating-point noise of sums. */
function toSpent({ calls, inputTokens, outputTokens, cost }: Spent) {
	return { calls, inputTokens, outputTokens, cost: Math.round(cost * 1_000_000) / 1_000_000 };
}
