/** The costs of the language model and of embedding services for every day (UTC): by organisation, container, key, use and embedder. They are stored as records. */

import type { Json } from "../model/json.ts";
import { limits } from "../model/limits.ts";
import type { EmbeddingSpent, ModelUsage } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import { isModelUse, type ModelUse } from "../settings/model-uses.ts";
import type { ModelPolicy, TokenPrices } from "./model-policy.ts";

/** It is a type alias because TypeScript does not assign an interface to a JSON type. */
export type Spent = {
	/** Calls of the model; a stored response does not count. */
	readonly calls: number;
	readonly inputTokens: number;
	readonly outputTokens: number;
	/** The cost at the prices of that time, in the operator's currency; 0 if no prices were set. */
	readonly cost: number;
};

export interface DaySpent extends Spent {
	/** A day in UTC, such as `2026-11-21`. */
	readonly date: string;
	/** At most one of the next four is set; all are null for the sum of the whole organisation. */
	readonly containerTag: string | null;
	readonly key: string | null;
	/** The embedder that made the vectors. */
	readonly embedder: string | null;
	readonly use: ModelUse | null;
}

/** Whose budget a call counts against, besides that of the organisation, and what it is used for. */
export interface Payer {
	readonly containerTag: string | null;
	/** Id of the key that added the document, or that searches. */
	readonly key: string | null;
	readonly use: ModelUse;
}

export const nothingSpent: Spent = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

const recordKind = "model-usage";
const containerAccount = "container";
const keyAccount = "key";
const embedderAccount = "embedder";
const useAccount = "use";

type AccountKind = typeof containerAccount | typeof keyAccount | typeof embedderAccount | typeof useAccount;
/** Page size of reads. */
const recordsAtOnce = 1_000;

export function dateOf(now: Date): string {
	return now.toISOString().slice(0, 10);
}

/** Adds the cost of one call to the ledger. Durable when it resolves. */
export async function charge({ containerTag, key, use }: Payer, usage: ModelUsage, policy: ModelPolicy, records: RecordStore, now: Date): Promise<void> {
	const added: Spent = { calls: 1, ...usage, cost: costOf(usage, policy.prices) };
	const ids = [
		idOf(now),
		...(containerTag === null ? [] : [idOf(now, containerAccount, containerTag)]),
		...(key === null ? [] : [idOf(now, keyAccount, key)]),
		idOf(now, useAccount, use),
	];
	for (const id of ids) await add(id, added, records, now);
}

/** Adds the cost of embedding. It counts against no budget of the language model. Durable when it resolves. */
export async function chargeEmbedding({ embedder, tokens, cost }: EmbeddingSpent, records: Pick<RecordStore, "get" | "put">, now: Date): Promise<void> {
	await add(idOf(now, embedderAccount, embedder), { calls: 1, inputTokens: tokens, outputTokens: 0, cost }, records, now);
}

/** @returns the reason why no more tokens may be used today, or null. Calls in progress are not counted yet, so a budget may be exceeded a little. */
export async function exhaustedBudget({ containerTag, key }: Omit<Payer, "use">, policy: ModelPolicy, records: RecordStore, now: Date): Promise<string | null> {
	const budgets = [
		{ id: idOf(now), max: policy.tokensPerDay, reason: "the organisation's tokens of today are used up" },
		{ id: idOf(now, containerAccount, containerTag ?? ""), max: policy.containerTokensPerDay, reason: "the container's tokens of today are used up" },
		{ id: idOf(now, keyAccount, key ?? ""), max: policy.keyTokensPerDay, reason: "the key's tokens of today are used up" },
	];
	for (const { id, max, reason } of budgets) {
		if (max === null) continue;
		const { inputTokens, outputTokens } = spentIn((await records.get(recordKind, id, now))?.value);
		if (inputTokens + outputTokens >= max) return reason;
	}
	return null;
}

/** All entries from one day to another, both included: for each day its sum, then its containers, embedders, keys and uses. */
export async function readLedger(from: string, to: string, records: RecordStore, now: Date): Promise<readonly DaySpent[]> {
	const days: DaySpent[] = [];
	// The date without its last digit comes just before the record of the first day.
	for (let after = from.slice(0, -1); ; ) {
		const page = await records.list(recordKind, after, recordsAtOnce, now);
		for (const { id, value } of page) {
			if (id.slice(0, 10) > to) return days;
			if (id.slice(0, 10) >= from) days.push({ ...spentIn(value), ...accountOf(id) });
		}
		const last = page.at(-1);
		if (last === undefined || page.length < recordsAtOnce) return days;
		after = last.id;
	}
}

/** How many tokens of the language model the organisation has used today. */
export async function readTokensToday(records: Pick<RecordStore, "get">, now: Date): Promise<number> {
	const { inputTokens, outputTokens } = spentIn((await records.get(recordKind, idOf(now), now))?.value);
	return inputTokens + outputTokens;
}

export function addSpent(a: Spent, b: Spent): Spent {
	return {
		calls: a.calls + b.calls,
		inputTokens: a.inputTokens + b.inputTokens,
		outputTokens: a.outputTokens + b.outputTokens,
		cost: a.cost + b.cost,
	};
}

/** If the record was changed between the read and the write, it is read again. One of the writers always succeeds. */
async function add(id: string, added: Spent, records: Pick<RecordStore, "get" | "put">, now: Date): Promise<void> {
	const expiresAt = new Date(now.getTime() + limits.modelUsageRetentionMs);
	for (;;) {
		const stored = await records.get(recordKind, id, now);
		if ((await records.put(recordKind, id, addSpent(spentIn(stored?.value), added), { expected: stored?.version ?? 0, expiresAt, now })) !== null) return;
	}
}

/** Ids such as `2026-11-21`, `2026-11-21 container team`, `2026-11-21 embedder …`, `2026-11-21 key …` and `2026-11-21 use queries`, which sort in this order. */
function idOf(now: Date, account?: AccountKind, name?: string): string {
	return account === undefined ? dateOf(now) : `${dateOf(now)} ${account} ${name}`;
}

function accountOf(id: string): Pick<DaySpent, "date" | "containerTag" | "key" | "embedder" | "use"> {
	const [, date = "", account, name = ""] = /^(\S+)(?: (\S+) ([\s\S]*))?$/.exec(id) ?? [];
	const nameIf = (wanted: AccountKind) => (account === wanted ? name : null);
	return {
		date,
		containerTag: nameIf(containerAccount),
		key: nameIf(keyAccount),
		embedder: nameIf(embedderAccount),
		use: account === useAccount && isModelUse(name) ? name : null,
	};
}

/** Only the ledger writes the record. */
function spentIn(value: Json | undefined): Spent {
	return { ...nothingSpent, ...(value as Partial<Spent> | undefined) };
}

function costOf({ inputTokens, outputTokens }: ModelUsage, prices: TokenPrices | null): number {
	return prices === null ? 0 : (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
}
