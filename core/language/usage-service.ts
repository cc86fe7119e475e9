/** Tells administrators what their organisation has stored, what the language model and embedding services have cost it, and its quotas and budgets. */

import { authorize } from "../access/authorize.ts";
import type { Caller } from "../model/caller.ts";
import { noQuotas, type OrganisationAccount } from "../ports/account-store.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { addSpent, type DaySpent, dateOf, nothingSpent, readLedger, type Spent } from "./ledger.ts";
import { type ModelGateway, policyFor } from "./model-gateway.ts";
import type { ModelPolicy } from "./model-policy.ts";

export interface UsageService {
	/** The usage from one day to another (UTC), both included; null for the last thirty days. */
	readonly read: (caller: Caller, from: string | null, to: string | null) => Promise<Usage>;
}

export interface Usage {
	readonly from: string;
	readonly to: string;
	/** Provider and model in use now; null if there is none. */
	readonly model: string | null;
	readonly policy: Pick<ModelPolicy, "tokensPerDay" | "containerTokensPerDay" | "keyTokensPerDay"> | null;
	/** Tokens used today, even if today is outside the requested days. */
	readonly tokensToday: number;
	/** What the organisation has stored, and its quotas. */
	readonly organisation: Pick<OrganisationAccount, "stored" | "quotas">;
	readonly total: Spent;
	/** Oldest first; days without a call are left out. */
	readonly days: readonly (DaySpent & { readonly containers: readonly DaySpent[]; readonly keys: readonly DaySpent[]; readonly uses: readonly DaySpent[] })[];
	/** The costs of each embedding service on each day; they are not part of `total` and count against no budget. */
	readonly embeddings: readonly DaySpent[];
}

interface UsageParts {
	readonly storage: Storage;
	readonly modelGateway: ModelGateway | null;
	readonly world: World;
}

const defaultDays = 30;
const dayMs = 24 * 60 * 60_000;

export function createUsageService({ storage, modelGateway, world }: UsageParts): UsageService {
	return {
		read: async (caller, wantedFrom, wantedTo) => {
			const { records } = authorize(storage, caller);
			const now = world.now();
			const to = wantedTo ?? dateOf(now);
			const from = wantedFrom ?? dateOf(new Date(Date.parse(to) - (defaultDays - 1) * dayMs));
			const spent = await readLedger(from, to, records, now);
			const today = (await readLedger(dateOf(now), dateOf(now), records, now)).find(isDayTotal) ?? nothingSpent;
			const on = (date: string, isWanted: (each: DaySpent) => boolean) => spent.filter((each) => each.date === date && isWanted(each));
			const days = spent.filter(isDayTotal).map((day) => ({
				...day,
				containers: on(day.date, ({ containerTag }) => containerTag !== null),
				keys: on(day.date, ({ key }) => key !== null),
				uses: on(day.date, ({ use }) => use !== null),
			}));
			return {
				from,
				to,
				model: modelGateway?.name ?? null,
				policy: modelGateway === null ? null : await policyFor(caller.organisation, modelGateway),
				tokensToday: today.inputTokens + today.outputTokens,
				organisation: (await storage.accounts.organisationAccount(caller.organisation)) ?? { stored: { documents: 0, bytes: 0 }, quotas: noQuotas },
				total: days.reduce<Spent>(addSpent, nothingSpent),
				days,
				embeddings: spent.filter(({ embedder }) => embedder !== null),
			};
		},
	};
}

function isDayTotal({ containerTag, key, embedder, use }: DaySpent): boolean {
	return containerTag === null && key === null && embedder === null && use === null;
}
