/** `/v3/usage`: the requested range of days, and the costs of the language model in it. */

import { Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import type { Spent } from "../../../../core/language/ledger.ts";
import type { Usage } from "../../../../core/language/usage-service.ts";
import { modelUses } from "../../../../core/settings/model-uses.ts";
import { reader } from "../../requests/reader.ts";
import { quotasSchema } from "./organisations.ts";

const date = (description: string) =>
	Type.Optional(Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", expected: "a day such as 2026-01-31", description }));

export const usageQuery = Type.Object({
	from: date("The first day, in UTC. If absent, the range is thirty days."),
	to: date("The last day; today by default."),
});

const readQuery = reader(usageQuery);

/** @throws ServiceError `INPUT_INVALID` */
export function parseUsage(raw: unknown): { readonly from: string | null; readonly to: string | null } {
	const { from = null, to = null } = readQuery(raw);
	for (const [name, day] of Object.entries({ from, to }))
		if (day !== null && new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) !== day) throw fail("INPUT_INVALID", `${name}: there is no day ${day}`);
	return { from, to };
}

const spentFields = {
	calls: Type.Integer({ description: "Calls with a cost; stored answers are not counted." }),
	inputTokens: Type.Integer(),
	outputTokens: Type.Integer(),
	cost: Type.Number({ description: "At the prices in `CAIRN_MODEL_PRICES` at that time; 0 without prices." }),
};
const nullable = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

export const usageSchema = Type.Object(
	{
		from: Type.String(),
		to: Type.String(),
		model: Type.Union([Type.String(), Type.Null()], { description: "The current provider and model; null for none." }),
		budget: Type.Object({
			tokensPerDay: nullable("For the organisation; null for no limit."),
			containerTokensPerDay: nullable("For each container; null for no limit."),
			keyTokensPerDay: nullable("For the documents added with each key; null for no limit."),
			tokensToday: Type.Integer({ description: "Spent by the organisation so far." }),
		}),
		stored: Type.Object({
			documents: Type.Integer(),
			bytes: Type.Integer({ description: "Of texts and files, as they were sent." }),
		}),
		quotas: quotasSchema,
		total: Type.Object(spentFields),
		days: Type.Array(
			Type.Object({
				date: Type.String(),
				...spentFields,
				containers: Type.Array(Type.Object({ containerTag: Type.String(), ...spentFields })),
				keys: Type.Array(Type.Object({ keyId: Type.String({ description: "Empty for documents of connections." }), ...spentFields })),
				uses: Type.Array(Type.Object({ use: Type.String({ description: `The task of the language model: ${modelUses.join(", ")}.` }), ...spentFields })),
			}),
		),
		embeddings: Type.Array(
			Type.Object({
				date: Type.String(),
				embedder: Type.String(),
				calls: Type.Integer(),
				inputTokens: Type.Integer(),
				cost: Type.Number({ description: "At the configured price at that time; 0 without one." }),
			}),
			{ description: "Costs of embedding services. They are not in the total, and no budget limits them." },
		),
	},
	{ $id: "Usage" },
);

export function toUsage({ from, to, model, policy, tokensToday, organisation, total, days, embeddings }: Usage) {
	return {
		from,
		to,
		model,
		budget: {
			tokensPerDay: policy?.tokensPerDay ?? null,
			containerTokensPerDay: policy?.containerTokensPerDay ?? null,
			keyTokensPerDay: policy?.keyTokensPerDay ?? null,
			tokensToday,
		},
		stored: organisation.stored,
		quotas: organisation.quotas,
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

/** Rounds the cost to millionths, which removes floating-point errors of sums. */
function toSpent({ calls, inputTokens, outputTokens, cost }: Spent) {
	return { calls, inputTokens, outputTokens, cost: Math.round(cost * 1_000_000) / 1_000_000 };
}
