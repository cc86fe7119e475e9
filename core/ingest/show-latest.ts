/**
 * Writes statuses beside the stages: no stage waits for its own status to be stored, which for a short note would take most of the
 * time. They are written one after another; a status that is outdated before its turn is skipped.
 */

import type { DocumentStatus } from "../model/status.ts";

/** Shows a status to the client. Throws `DOCUMENT_SUPERSEDED` when the revision is gone. */
export type Enter = (status: DocumentStatus) => Promise<void>;

export interface ShownStatuses {
	/** Throws what an earlier status has met, so that no stage begins for a revision that is gone. */
	readonly show: (status: DocumentStatus) => void;
	/** Resolves when the latest is shown; rejects when it, or one before it, could not be. */
	readonly settled: () => Promise<void>;
}

export function showLatest(enter: Enter): ShownStatuses {
	let latest: DocumentStatus | null = null;
	let written: DocumentStatus | null = null;
	let writing: Promise<void> | null = null;
	let refusal: { readonly thrown: unknown } | null = null;

	/** `writing` is taken back in the same breath in which the last look found nothing new. */
	async function catchUp(): Promise<void> {
		try {
			while (latest !== null && latest !== written) {
				const status = latest;
				await enter(status);
				written = status;
			}
		} catch (thrown) {
			refusal = { thrown };
		} finally {
			writing = null;
		}
	}

	return {
		show(status) {
			if (refusal !== null) throw refusal.thrown;
			if (status === latest) return;
			latest = status;
			writing ??= catchUp();
		},
		async settled() {
			await writing;
			if (refusal !== null) throw refusal.thrown;
		},
	};
}
