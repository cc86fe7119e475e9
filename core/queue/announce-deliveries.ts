/** Sees to it that every webhook with something to be told has its job. */

import { asServiceError } from "../errors/fail.ts";
import type { OrganisationId } from "../model/id.ts";
import type { Parts } from "../parts.ts";
import { newJob } from "../pipeline/receive.ts";
import { isDue } from "../webhooks/deliver.ts";
import { webhookStore } from "../webhooks/webhook-store.ts";
import type { WakeUp } from "./wake-up.ts";

const lookEveryMs = 500;
/** A job that was added and is gone, for whatever reason, is added again after that long. */
const announceAgainMs = 30_000;

interface Announced {
	readonly latest: number;
	/** What an administrator changes may make it due at once. */
	readonly updatedAt: string;
	readonly at: number;
}

/**
 * Events are written by the store, in the transaction of what happened, so there is no moment at which somebody could add
 * the job and not be killed before. Therefore nobody does: what is owed is the difference between two durable numbers, the
 * newest event and the webhook's cursor, and this looks for it, from the start on and for ever. All that it remembers
 * spares it from adding a job twice.
 */
export async function announceDeliveries(
	{ storage, world }: Pick<Parts, "storage" | "world">,
	busy: ReadonlySet<string>,
	wakeUp: WakeUp,
	signal: AbortSignal,
): Promise<void> {
	const announced = new Map<string, Announced>();
	while (!signal.aborted) {
		try {
			for (const { id } of await storage.accounts.organisations()) await look(id);
		} catch (thrown) {
			world.log("error", "could not look for webhooks with something to be told", { reason: asServiceError(thrown).message });
		}
		await world.sleep(lookEveryMs, signal);
	}

	async function look(organisation: OrganisationId): Promise<void> {
		const { records, events } = storage.organisation(organisation);
		const webhooks = await webhookStore(records, world).list();
		const due = webhooks.filter((webhook) => isDue(webhook, world.now()) && !busy.has(webhook.id));
		if (due.length === 0) return;
		const latest = await events.latest();
		for (const { id, cursor, updatedAt } of due) {
			if (cursor >= latest || isAnnounced(id, latest, updatedAt)) continue;
			await storage.jobs.add(newJob("deliver", id, organisation, world));
			announced.set(id, { latest, updatedAt, at: world.elapsedMs() });
			wakeUp.ring();
		}
	}

	function isAnnounced(id: string, latest: number, updatedAt: string): boolean {
		const last = announced.get(id);
		return last !== undefined && last.latest === latest && last.updatedAt === updatedAt && world.elapsedMs() - last.at < announceAgainMs;
	}
}
