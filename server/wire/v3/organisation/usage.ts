/** `/v3/usage`: the days that are asked for, and what the language model has cost on them. */

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
	calls: Type.Integer({ description: "Those that were paid for; answers that were known already are not counted." }),
	inputTokens: Type.Integer(),
	outputTokens: Type.Integer(),
	cost: Type.Number({ description: "By `CAIRN_MODEL_PRICES` as they were then; 0 where there were none." }),
};
const nullable = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

export const usageSchema = Type.Object(
	{
		from: Type.String(),
		to: Type.String(),
		model: Type.Union([Type.String(), Type.Null()], { description: "Provider and model that are asked now; null for none." }),
		budget: Type.Object({
			tokensPerDay: nullable("Of the organisation; null for no bound."),
			containerTokensPerDay: nullable("Of each container; null for no bound."),
			keyTokensPerDay: nullable("Of what each key hands in; null for no bound."),
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
				cost: Type.Number({ description: "By the price that its settings named then; 0 where there was none." }),
			}),
			{ description: "What embedding services have cost: in no total, and under no budget." },
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

/** Sums of small prices end in noise. */
function toSpent({ calls, inputTokens, outputTokens, cost }: Spent) {
	return { calls, inputTokens, outputTokens, cost: Math.round(cost * 1_000_000) / 1_000_000 };
}
