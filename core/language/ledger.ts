/** What the language model has cost: for every day, of the organisation and of each container. Kept as records that grow. */

import type { Json } from "../model/json.ts";
import { limits } from "../model/limits.ts";
import type { ModelUsage } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { ModelTerms, Prices } from "./terms.ts";

/** A type and not an interface, since only a type is known to be JSON. */
export type Spent = {
	/** Paid ones; what was known already is none. */
	readonly calls: number;
	readonly inputTokens: number;
	readonly outputTokens: number;
	/** As the prices were then; 0 while there are none. */
	readonly cost: number;
};

export interface DaySpent extends Spent {
	/** `2026-11-21`, of UTC. */
	readonly date: string;
	/** Null for the whole organisation. */
	readonly containerTag: string | null;
}

export const nothingSpent: Spent = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

const kind = "model-usage";
const daysAtOnce = 1_000;

export function dateOf(now: Date): string {
	return now.toISOString().slice(0, 10);
}

/** Durable when it resolves. */
export async function charge(containerTag: string | null, usage: ModelUsage, terms: ModelTerms, records: RecordStore, now: Date): Promise<void> {
	const more: Spent = { calls: 1, ...usage, cost: costOf(usage, terms.prices) };
	for (const tag of new Set([null, containerTag])) await grow(idOf(dateOf(now), tag), more, records, now);
}

/** Why nothing more may be spent today, or null. Calls that are under way are not in it yet: a budget may be passed by them. */
export async function whySpent(containerTag: string | null, terms: ModelTerms, records: RecordStore, now: Date): Promise<string | null> {
	const bounds = [
		{ tag: null, max: terms.tokensPerDay, words: "the organisation's tokens of today are used up" },
		{ tag: containerTag, max: containerTag === null ? null : terms.containerTokensPerDay, words: "the container's tokens of today are used up" },
	];
	for (const { tag, max, words } of bounds) {
		if (max === null) continue;
		const { inputTokens, outputTokens } = spentIn((await records.get(kind, idOf(dateOf(now), tag), now))?.value);
		if (inputTokens + outputTokens >= max) return words;
	}
	return null;
}

/** From one day to another, both included, by day and container. */
export async function readLedger(from: string, to: string, records: RecordStore, now: Date): Promise<readonly DaySpent[]> {
	const days: DaySpent[] = [];
	// Comes before the day itself, and before nine others at most.
	for (let after = from.slice(0, -1); ; ) {
		const page = await records.list(kind, after, daysAtOnce, now);
		for (const { id, value } of page) {
			if (id.slice(0, 10) > to) return days;
			if (id.slice(0, 10) >= from) days.push({ ...spentIn(value), date: id.slice(0, 10), containerTag: id.length > 10 ? id.slice(11) : null });
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

/** Who loses a race looks again; one of them always wins. */
async function grow(id: string, more: Spent, records: RecordStore, now: Date): Promise<void> {
	const expiresAt = new Date(now.getTime() + limits.modelUsageKeptMs);
	for (;;) {
		const kept = await records.get(kind, id, now);
		if ((await records.put(kind, id, addSpent(spentIn(kept?.value), more), { expected: kept?.version ?? 0, expiresAt, now })) !== null) return;
	}
}

/** A day before it, its containers after it: a tag is never empty. */
function idOf(date: string, containerTag: string | null): string {
	return containerTag === null ? date : `${date} ${containerTag}`;
}

/** Nobody else writes the record. */
function spentIn(value: Json | undefined): Spent {
	return { ...nothingSpent, ...(value as Partial<Spent> | undefined) };
}

function costOf({ inputTokens, outputTokens }: ModelUsage, prices: Prices | null): number {
	return prices === null ? 0 : (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
}
