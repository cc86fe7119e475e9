/**
 * What is put in during one turn of the event loop travels as one message. Sending a message and waking the thread that
 * gets it costs more than most of what is in one: with sixteen documents in work this halves the price of a write.
 */

import type { MessagePort, Transferable } from "node:worker_threads";

export interface Mailbox<Item> {
	readonly put: (item: Item, transfer?: readonly Transferable[]) => void;
	/** Sends what is in it now instead of at the end of the turn. */
	readonly flush: () => void;
}

/** @param refused called for each item that cannot be posted; nothing of its message was sent */
export function mailbox<Item>(port: MessagePort, refused: (item: Item, why: unknown) => void): Mailbox<Item> {
	let items: Item[] = [];
	let transfers: Transferable[] = [];

	function flush(): void {
		if (items.length === 0) return;
		const [message, moved] = [items, transfers];
		items = [];
		transfers = [];
		try {
			port.postMessage(message, moved);
		} catch (thrown) {
			for (const item of message) refused(item, thrown);
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
