/** What is put in during one turn travels together, in order, and what cannot travel is told. */

import { expect, test } from "bun:test";
import { MessageChannel } from "node:worker_threads";
import { mailbox } from "../../../../plugins/storage/sqlite/mailbox.ts";

function line() {
	const { port1, port2 } = new MessageChannel();
	const messages: unknown[][] = [];
	port2.on("message", (message: unknown[]) => messages.push(message));
	const refused: unknown[] = [];
	return { messages, refused, box: mailbox<unknown>(port1, (item) => refused.push(item)), [Symbol.dispose]: () => port1.close() };
}

test("one message a turn", async () => {
	using open = line();
	const bytes = new Uint8Array([1, 2, 3]);
	open.box.put("a");
	await null;
	open.box.put(bytes, [bytes.buffer]);
	await Bun.sleep(5);
	open.box.put("c");
	await Bun.sleep(5);
	expect(open.messages).toEqual([["a", new Uint8Array([1, 2, 3])], ["c"]]);
	expect(bytes.byteLength).toBe(0); // moved, not copied
});

test("sent before the end of the turn, nothing is sent twice", async () => {
	using open = line();
	open.box.put("a");
	open.box.flush();
	open.box.flush();
	await Bun.sleep(5);
	expect(open.messages).toEqual([["a"]]);
});

test("what cannot be posted is given back, and the next message goes", async () => {
	using open = line();
	const impossible = () => undefined;
	open.box.put(impossible);
	await Bun.sleep(5);
	open.box.put("b");
	await Bun.sleep(5);
	expect(open.refused).toEqual([impossible]);
	expect(open.messages).toEqual([["b"]]);
});
