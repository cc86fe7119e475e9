/**
 * Sends items to another thread: all items of one turn of the event loop as one message. Sending a message and waking the thread
 * costs more than most items do; with sixteen documents in progress this halves the cost of a write.
 */

import type { MessagePort, Transferable } from "node:worker_threads";

export interface Mailbox<Item> {
	readonly put: (item: Item, transfer?: readonly Transferable[]) => void;
	/** Sends the items now instead of at the end of the turn. */
	readonly flush: () => void;
}

/** @param onRefused called for each item of a message that could not be posted. */
export function mailbox<Item>(port: MessagePort, onRefused: (item: Item, why: unknown) => void): Mailbox<Item> {
	let items: Item[] = [];
	let transfers: Transferable[] = [];

	function flush(): void {
		if (items.length === 0) return;
		const [message, transferred] = [items, transfers];
		items = [];
		transfers = [];
		try {
			port.postMessage(message, transferred);
		} catch (thrown) {
			for (const item of message) onRefused(item, thrown);
		}
	}

	return {
		put(item, transfer = []) {
			if (items.length === 0) setImmediate(flush);
			items.push(item);
			transfers.push(...transfer);
		},
		flush,
	};
}
