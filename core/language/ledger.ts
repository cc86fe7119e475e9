/** What the language model has cost: for every day, by organisation, container, key and use. Stored as records. */

import type { Json } from "../model/json.ts";
import { limits } from "../model/limits.ts";
import type { EmbeddingSpent, ModelUsage } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import { isModelUse, type ModelUse } from "../settings/model-uses.ts";
import type { ModelTerms, Prices } from "./terms.ts";

/** A type and not an interface, since only a type is known to be JSON. */
export type Spent = {
	/** Calls that were paid for; a stored answer does not count. */
	readonly calls: number;
	readonly inputTokens: number;
	readonly outputTokens: number;
	/** As the prices were then; 0 while there are none. */
	readonly cost: number;
};

export interface DaySpent extends Spent {
	/** `2026-11-21`, of UTC. */
	readonly date: string;
	/** All null for the costs of the whole organisation. */
	readonly containerTag: string | null;
	readonly key: string | null;
	/** Whose vectors it was paid for. */
	readonly embedder: string | null;
	readonly use: ModelUse | null;
}

/** Who pays besides the organisation, and for what. */
export interface Payer {
	readonly containerTag: string | null;
	/** Id of the key that handed in the document, or that searches. */
	readonly key: string | null;
	readonly use: ModelUse;
}

export const nothingSpent: Spent = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

const kind = "model-usage";
const container = "container";
const ofKey = "key";
const ofEmbedder = "embedder";
const ofUse = "use";

type Account = typeof container | typeof ofKey | typeof ofEmbedder | typeof ofUse;
const daysAtOnce = 1_000;

export function dateOf(now: Date): string {
	return now.toISOString().slice(0, 10);
}

/** Durable when it resolves. */
export async function charge({ containerTag, key, use }: Payer, usage: ModelUsage, terms: ModelTerms, records: RecordStore, now: Date): Promise<void> {
	const more: Spent = { calls: 1, ...usage, cost: costOf(usage, terms.prices) };
	const ids = [
		idOf(now),
		...(containerTag === null ? [] : [idOf(now, container, containerTag)]),
		...(key === null ? [] : [idOf(now, ofKey, key)]),
		idOf(now, ofUse, use),
	];
	for (const id of ids) await grow(id, more, records, now);
}

/** Kept apart from what the language model costs, and counted against none of its budgets. Durable when it resolves. */
export async function chargeEmbedding({ embedder, tokens, cost }: EmbeddingSpent, records: Pick<RecordStore, "get" | "put">, now: Date): Promise<void> {
	await grow(idOf(now, ofEmbedder, embedder), { calls: 1, inputTokens: tokens, outputTokens: 0, cost }, records, now);
}

/** Why nothing more may be spent today, or null. Running calls are not counted yet, so they may exceed a budget. */
export async function whySpent({ containerTag, key }: Omit<Payer, "use">, terms: ModelTerms, records: RecordStore, now: Date): Promise<string | null> {
	const bounds = [
		{ id: idOf(now), max: terms.tokensPerDay, words: "the organisation's tokens of today are used up" },
		{ id: idOf(now, container, containerTag ?? ""), max: terms.containerTokensPerDay, words: "the container's tokens of today are used up" },
		{ id: idOf(now, ofKey, key ?? ""), max: terms.keyTokensPerDay, words: "the key's tokens of today are used up" },
	];
	for (const { id, max, words } of bounds) {
		if (max === null) continue;
		const { inputTokens, outputTokens } = spentIn((await records.get(kind, id, now))?.value);
		if (inputTokens + outputTokens >= max) return words;
	}
	return null;
}

/** From one day to another, both included: each day before its containers, then its embedders, its keys, its uses. */
export async function readLedger(from: string, to: string, records: RecordStore, now: Date): Promise<readonly DaySpent[]> {
	const days: DaySpent[] = [];
	// Comes before the day itself, and before nine others at most.
	for (let after = from.slice(0, -1); ; ) {
		const page = await records.list(kind, after, daysAtOnce, now);
		for (const { id, value } of page) {
			if (id.slice(0, 10) > to) return days;
			if (id.slice(0, 10) >= from) days.push({ ...spentIn(value), ...accountOf(id) });
		}
		const last = page.at(-1);
		if (last === undefined || page.length < daysAtOnce) return days;
		after = last.id;
	}
}

export function addSpent(a: Spent, b: Spent): Spent {
	return {
		calls: a.calls + b.calls,
		inputTokens: a.inputTokens + b.inputTokens,
		outputTokens: a.outputTokens + b.outputTokens,
		cost: a.cost + b.cost,
	};
}

/** After a lost race the record is read again; one of the writers always wins. */
async function grow(id: string, more: Spent, records: Pick<RecordStore, "get" | "put">, now: Date): Promise<void> {
	const expiresAt = new Date(now.getTime() + limits.modelUsageRetentionMs);
	for (;;) {
		const kept = await records.get(kind, id, now);
		if ((await records.put(kind, id, addSpent(spentIn(kept?.value), more), { expected: kept?.version ?? 0, expiresAt, now })) !== null) return;
	}
}

/** `2026-11-21`, `2026-11-21 container team`, `2026-11-21 embedder …`, `2026-11-21 key …`, `2026-11-21 use queries`: in this order. */
function idOf(now: Date, account?: Account, name?: string): string {
	return account === undefined ? dateOf(now) : `${dateOf(now)} ${account} ${name}`;
}

function accountOf(id: string): Pick<DaySpent, "date" | "containerTag" | "key" | "embedder" | "use"> {
	const [, date = "", account, name = ""] = /^(\S+)(?: (\S+) ([\s\S]*))?$/.exec(id) ?? [];
	const ifOf = (wanted: Account) => (account === wanted ? name : null);
	return { date, containerTag: ifOf(container), key: ifOf(ofKey), embedder: ifOf(ofEmbedder), use: account === ofUse && isModelUse(name) ? name : null };
}

/** Only the ledger writes the record. */
function spentIn(value: Json | undefined): Spent {
	return { ...nothingSpent, ...(value as Partial<Spent> | undefined) };
}

function costOf({ inputTokens, outputTokens }: ModelUsage, prices: Prices | null): number {
	return prices === null ? 0 : (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
}
