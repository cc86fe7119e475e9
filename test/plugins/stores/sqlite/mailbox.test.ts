/** What is put in during one turn travels together, in order, and what cannot travel is told. */

import { expect, test } from "bun:test";
import { MessageChannel } from "node:worker_threads";
import { mailbox } from "../../../../plugins/stores/sqlite/writer/mailbox.ts";
import { until } from "../../../doubles/until.ts";

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
	await until(() => open.messages.length === 1);
	open.box.put("c");
	await until(() => open.messages.length === 2);
	expect(open.messages).toEqual([["a", new Uint8Array([1, 2, 3])], ["c"]]);
	expect(bytes.byteLength).toBe(0); // moved, not copied
});

test("sent before the end of the turn, nothing is sent twice", async () => {
	using open = line();
	open.box.put("a");
	open.box.flush();
	open.box.flush();
	// What is sent later comes later: had anything been sent twice, it would be there before this.
	await null;
	await until(() => open.messages.length > 0);
	open.box.put("b");
	await until(() => open.messages.flat().includes("b"));
	expect(open.messages).toEqual([["a"], ["b"]]);
});

test("what cannot be posted is given back, and the next message goes", async () => {
	using open = line();
	const impossible = () => undefined;
	open.box.put(impossible);
	await until(() => open.refused.length > 0);
	open.box.put("b");
	await until(() => open.messages.length > 0);
	expect(open.refused).toEqual([impossible]);
	expect(open.messages).toEqual([["b"]]);
});
