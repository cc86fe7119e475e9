/** How far a connection to Gmail has followed it. All of it is in the cursor. */

import type { Cursor } from "cairn-memory";
import { z } from "zod";
import { KnownItems, readKnown, writeKnown } from "../known-items.ts";
import type { GmailConfig } from "./config.ts";

export interface GmailState {
	/** The labels that were chosen when threads were listed; null if nothing was listed yet. Other ones are listed anew. */
	scope: string | null;
	/** History ids by thread id, each as it was when the thread was read. An empty one stands for a thread that is still to be read. */
	readonly known: KnownItems;
	/** Where the history goes on; empty if nothing was listed yet. */
	historyId: string;
	/** Names by label id, which documents have in their metadata. */
	labels: ReadonlyMap<string, string>;
	/** Whether there were more threads than the connection may have. */
	isPartial: boolean;
	/** Whether they were listed in several attempts, between which threads that nobody knows of may have moved: the next sync is to list them again. */
	isPatchy: boolean;
}

const cursorSchema = z.object({
	version: z.literal(1),
	scope: z.string(),
	historyId: z.string(),
	labels: z.record(z.string(), z.string()),
	isPartial: z.boolean(),
	isPatchy: z.boolean().default(false),
});

export function readState(cursor: Cursor | null): GmailState {
	const { data } = cursorSchema.safeParse(cursor);
	return {
		scope: data?.scope ?? null,
		known: data === undefined ? new KnownItems() : readKnown(cursor),
		historyId: data?.historyId ?? "",
		labels: new Map(Object.entries(data?.labels ?? {})),
		isPartial: data?.isPartial ?? false,
		isPatchy: data?.isPatchy ?? false,
	};
}

export function writeState({ scope, known, historyId, labels, isPartial, isPatchy }: GmailState): Cursor {
	return { ...writeKnown(known), scope: scope ?? "", historyId, labels: Object.fromEntries(labels), isPartial, isPatchy };
}

export function scopeOf({ labels }: GmailConfig): string {
	return JSON.stringify(labels.toSorted());
}
