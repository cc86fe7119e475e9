/**
 * Tells how far documents have come that are being processed. A stage is no event of the log: there are many, and nobody needs them
 * later. So this looks at the documents themselves after something was written, and only for listeners who have asked for it.
 */

import type { Document } from "../model/document.ts";
import { type Scope, wholeOrganisation } from "../model/scope.ts";
import { unfinishedStatuses } from "../model/status.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { createNotifier, notifiedWithin } from "../runtime/notifier.ts";

export type DocumentProgress = Pick<Document, "id" | "containerTags" | "status" | "progress">;

export interface ProgressFeed {
	/** Waits for the next step of any document; null once the feed has ended. Calls must not be concurrent. */
	readonly next: () => Promise<DocumentProgress | null>;
}

export interface ProgressParts {
	readonly documents: Pick<DocumentStore, "list">;
	readonly storage: Pick<Storage, "onWritten">;
	readonly world: World;
}

/** A bar that moves twice a second moves smoothly enough. */
const lookEveryMs = 500;
/** If the storage reports its writes, this only catches a missed report. */
const lookAtLeastEveryMs = 5_000;
/** The oldest: they are processed first. */
const lookedAtMax = 100;

/** @param containerTags null for those of every container */
export function openProgress({ documents, storage, world }: ProgressParts, containerTags: readonly string[] | null, signal: AbortSignal): ProgressFeed {
	const scope: Scope = { ...wholeOrganisation, containerTags: containerTags ?? [], tagsMatch: "any" };
	const written = createNotifier();
	const stopListening = storage.onWritten?.(written.notify);
	if (stopListening !== undefined) signal.addEventListener("abort", stopListening, { once: true });
	let told = new Map<string, string>();
	let steps: readonly DocumentProgress[] = [];
	let isFirst = true;

	async function look(): Promise<void> {
		const page = { offset: 0, limit: lookedAtMax, sort: "createdAt", order: "asc" } as const;
		const { documents: found } = await documents.list(scope, unfinishedStatuses, page, false);
		const now = new Map(found.map(({ id, status, progress }) => [id as string, JSON.stringify([status, progress])]));
		steps = found
			.filter(({ id }) => told.get(id) !== now.get(id))
			.map(({ id, containerTags: tags, status, progress }) => ({ id, containerTags: tags, status, progress }));
		told = now;
	}

	async function waitForWrites(): Promise<void> {
		await world.sleep(lookEveryMs, signal);
		if (stopListening !== undefined) await notifiedWithin(written, lookAtLeastEveryMs, world, signal);
	}

	return {
		next: async () => {
			while (!signal.aborted) {
				const [step, ...rest] = steps;
				steps = rest;
				if (step !== undefined) return step;
				if (!isFirst) await waitForWrites();
				isFirst = false;
				if (!signal.aborted) await look();
			}
			return null;
		},
	};
}
