/** Adds a job for every webhook that has events to receive. */

import { asServiceError } from "../errors/fail.ts";
import type { OrganisationId } from "../model/id.ts";
import type { Parts } from "../parts.ts";
import { newJob } from "../runtime/new-job.ts";
import { createNotifier, type Notifier, notifiedWithin } from "../runtime/notifier.ts";
import { isDue } from "../webhooks/deliver.ts";
import { webhookStore } from "../webhooks/webhook-store.ts";

/** The shortest time between two looks, however much is written. */
const lookAtMostEveryMs = 500;
/** If the storage reports its writes, this only catches a missed report. */
const lookAtLeastEveryMs = 10_000;
/** If a job was added but the webhook still has events after this time, the job is added again. */
const announceAgainMs = 30_000;

interface Announcement {
	readonly latest: number;
	/** A change of the webhook by an admin may make it due at once. */
	readonly updatedAt: string;
	readonly at: number;
}

/**
 * Compares two durable numbers for each webhook, the sequence of the newest event and the webhook's cursor, and adds a job if they differ.
 * It looks after each write, and from time to time. The writer of an event does not add the job itself, since it could be killed between
 * the two writes. The state in memory only prevents adding a job twice.
 * @param busy the ids of the webhooks that are being delivered to
 */
export async function announceDeliveries(
	{ storage, world }: Pick<Parts, "storage" | "world">,
	busy: ReadonlySet<string>,
	notifier: Notifier,
	signal: AbortSignal,
): Promise<void> {
	const announced = new Map<string, Announcement>();
	const storageWrites = createNotifier();
	const stopListening = storage.onWritten?.(storageWrites.notify);
	while (!signal.aborted) {
		let mustLookAgain = stopListening === undefined;
		removeOldAnnouncements();
		try {
			for (const { id } of await storage.accounts.organisations()) if (await announceDue(id)) mustLookAgain = true;
		} catch (thrown) {
			mustLookAgain = true;
			world.log("error", "could not look for webhooks with events to deliver", { reason: asServiceError(thrown).message });
		}
		await world.sleep(lookAtMostEveryMs, signal);
		if (!mustLookAgain) await notifiedWithin(storageWrites, lookAtLeastEveryMs, world, signal);
	}
	stopListening?.();

	/** Adds the jobs of one organisation. @returns whether a delivery is in progress, so that another look must check for further events. */
	async function announceDue(organisation: OrganisationId): Promise<boolean> {
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

	/** Removes announcements that may be repeated anyway, so that deleted webhooks do not accumulate. */
	function removeOldAnnouncements(): void {
		for (const [id, { at }] of announced) if (world.elapsedMs() - at >= announceAgainMs) announced.delete(id);
	}

	function isAnnounced(id: string, latest: number, updatedAt: string): boolean {
		const previous = announced.get(id);
		return previous !== undefined && previous.latest === latest && previous.updatedAt === updatedAt;
	}
}
