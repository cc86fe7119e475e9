/** What the language model has cost an organisation, and what it may still cost today. For administrators. */

import { authorize } from "../access/authorize.ts";
import type { Caller } from "../model/caller.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { addSpent, type DaySpent, dateOf, nothingSpent, readLedger, type Spent } from "./ledger.ts";
import type { ModelGateway } from "./model-gateway.ts";
import type { ModelTerms } from "./terms.ts";

export interface UsageService {
	/** Days of UTC, both included; by default the last thirty. */
	readonly read: (caller: Caller, from: string | null, to: string | null) => Promise<Usage>;
}

export interface Usage {
	readonly from: string;
	readonly to: string;
	/** Provider and model that are asked now; null for none. */
	readonly model: string | null;
	readonly terms: Pick<ModelTerms, "tokensPerDay" | "containerTokensPerDay" | "keyTokensPerDay"> | null;
	/** Tokens spent today, whatever the days asked for. */
	readonly tokensToday: number;
	readonly total: Spent;
	/** Oldest first; days without a call are left out. */
	readonly days: readonly (DaySpent & { readonly containers: readonly DaySpent[]; readonly keys: readonly DaySpent[]; readonly uses: readonly DaySpent[] })[];
	/** What embedding services have cost, each on each day: in no total and under no budget. */
	readonly embeddings: readonly DaySpent[];
}

interface UsageParts {
	readonly storage: Storage;
	readonly modelGateway: ModelGateway | null;
	readonly world: World;
}

const daysShown = 30;
const dayMs = 24 * 60 * 60_000;

export function createUsageService({ storage, modelGateway, world }: UsageParts): UsageService {
	return {
		read: async (caller, wantedFrom, wantedTo) => {
			const { records } = authorize(storage, caller);
			const now = world.now();
			const to = wantedTo ?? dateOf(now);
			const from = wantedFrom ?? dateOf(new Date(Date.parse(to) - (daysShown - 1) * dayMs));
			const spent = await readLedger(from, to, records, now);
			const today = (await readLedger(dateOf(now), dateOf(now), records, now)).find(isWhole) ?? nothingSpent;
			const on = (wanted: string, isMeant: (each: DaySpent) => boolean) => spent.filter((each) => each.date === wanted && isMeant(each));
			const days = spent.filter(isWhole).map((day) => ({
				...day,
				containers: on(day.date, ({ containerTag }) => containerTag !== null),
				keys: on(day.date, ({ key }) => key !== null),
				uses: on(day.date, ({ use }) => use !== null),
			}));
			return {
				from,
				to,
				model: modelGateway?.name ?? null,
				terms: modelGateway?.terms ?? null,
				tokensToday: today.inputTokens + today.outputTokens,
				total: days.reduce<Spent>(addSpent, nothingSpent),
				days,
				embeddings: spent.filter(({ embedder }) => embedder !== null),
			};
		},
	};
}

function isWhole({ containerTag, key, embedder, use }: DaySpent): boolean {
	return containerTag === null && key === null && embedder === null && use === null;
}
