/** Adds a job for every webhook that has events to receive. */

import { asServiceError } from "../errors/fail.ts";
import type { OrganisationId } from "../model/id.ts";
import type { Parts } from "../parts.ts";
import { newJob } from "../runtime/new-job.ts";
import { createNotifier, type Notifier, notifiedWithin } from "../runtime/notifier.ts";
import { isDue } from "../webhooks/deliver.ts";
import { webhookStore } from "../webhooks/webhook-store.ts";

/** However much is written. */
const lookAtMostEveryMs = 500;
/** Where the storage reports its writes, this only repairs what went wrong elsewhere. */
const lookAtLeastEveryMs = 10_000;
/** A job that was added and is gone, for whatever reason, is added again after that long. */
const announceAgainMs = 30_000;

interface Announced {
	readonly latest: number;
	/** A change by an administrator may make it due at once. */
	readonly updatedAt: string;
	readonly at: number;
}

/**
 * Compares two durable numbers for each webhook, the newest event and the webhook's cursor, and adds a job where they differ:
 * after each write, and from time to time. The writer of an event does not add the job itself, since it could be killed
 * between the two. The state kept here only prevents adding a job twice.
 */
export async function announceDeliveries(
	{ storage, world }: Pick<Parts, "storage" | "world">,
	busy: ReadonlySet<string>,
	notifier: Notifier,
	signal: AbortSignal,
): Promise<void> {
	const announced = new Map<string, Announced>();
	const written = createNotifier();
	const stopListening = storage.onWritten?.(written.notify);
	while (!signal.aborted) {
		let isLookedAgain = stopListening === undefined;
		forgetOld();
		try {
			for (const { id } of await storage.accounts.organisations()) if (await look(id)) isLookedAgain = true;
		} catch (thrown) {
			isLookedAgain = true;
			world.log("error", "could not look for webhooks with something to be told", { reason: asServiceError(thrown).message });
		}
		await world.sleep(lookAtMostEveryMs, signal);
		if (!isLookedAgain) await notifiedWithin(written, lookAtLeastEveryMs, world, signal);
	}
	stopListening?.();

	/** @returns whether a webhook is being served now: the next look finds its further events. */
	async function look(organisation: OrganisationId): Promise<boolean> {
		const { records, events } = storage.organisation(organisation);
		const webhooks = await webhookStore(records, world).list();
		const isBusy = webhooks.some(({ id }) => busy.has(id));
		const due = webhooks.filter((webhook) => isDue(webhook, world.now()) && !busy.has(webhook.id));
		if (due.length === 0) return isBusy;
		const latest = await events.latest();
		for (const { id, cursor, updatedAt } of due) {
			if (cursor >= latest || isAnnounced(id, latest, updatedAt)) continue;
			await storage.jobs.add(newJob("deliver", id, organisation, world));
			announced.set(id, { latest, updatedAt, at: world.elapsedMs() });
			notifier.notify();
		}
		return isBusy;
	}

	/** What may be announced again need not be remembered: webhooks come and go. */
	function forgetOld(): void {
		for (const [id, { at }] of announced) if (world.elapsedMs() - at >= announceAgainMs) announced.delete(id);
	}

	function isAnnounced(id: string, latest: number, updatedAt: string): boolean {
		const last = announced.get(id);
		return last !== undefined && last.latest === latest && last.updatedAt === updatedAt;
	}
}
