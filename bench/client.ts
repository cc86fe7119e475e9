/** What a client does: adds notes and searches, each timed, over connections that are kept. */

import type { Note } from "./notes.ts";
import { key, type Server } from "./server.ts";

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

/** @returns milliseconds until the whole answer was there. Throws when it is not a success. */
export async function post({ address }: Server, path: string, body: unknown): Promise<number> {
	const began = performance.now();
	const response = await fetch(`${address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
	const text = await response.text();
	if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
	return performance.now() - began;
}

/** Sends notes over so many connections at once, each the next as soon as it is answered. @returns how long each took. */
export async function send(server: Server, notes: readonly Note[], connections: number): Promise<readonly number[]> {
	const took: number[] = [];
	let next = 0;
	const connection = async () => {
		for (let note = notes[next++]; note !== undefined; note = notes[next++]) took.push(await post(server, "/v3/documents", note));
	};
	await Promise.all(Array.from({ length: connections }, connection));
	return took;
}

/** @returns the new document's id. */
export async function upload({ address }: Server, fileName: string, bytes: Uint8Array): Promise<string> {
	const form = new FormData();
	form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), fileName);
	const response = await fetch(`${address}/v3/documents/file`, { method: "POST", headers: { authorization: headers.authorization }, body: form });
	if (response.status !== 200) throw new Error(`${fileName}: ${response.status} ${await response.text()}`);
	return ((await response.json()) as { id: string }).id;
}

/** Resolves when a document can be found. Throws when it has failed. */
export async function waitUntilDone({ address }: Server, id: string): Promise<void> {
	for (;;) {
		const { status } = (await (await fetch(`${address}/v3/documents/${id}`, { headers })).json()) as { status: string };
		if (status === "done") return;
		if (status === "failed") throw new Error(`document ${id} has failed`);
		await Bun.sleep(2);
	}
}

/** How many documents wait or are in process. */
export async function unfinished({ address }: Server): Promise<number> {
	const response = await fetch(`${address}/v3/documents/processing`, { headers });
	return ((await response.json()) as { total: number }).total;
}

/** How many jobs wait or are in hand. */
export async function queued({ address }: Server): Promise<number> {
	const response = await fetch(`${address}/ready`);
	const { queue } = (await response.json()) as { queue: { waiting: number; leased: number } };
	return queue.waiting + queue.leased;
}

/** Resolves when nothing waits any more, memories included. */
export async function drained(server: Server, patienceMs: number): Promise<void> {
	await until(async () => (await queued(server)) === 0, 250, patienceMs);
}

/** Asks now and then until it is so; gives up after the patience. */
export async function until(isSo: () => Promise<boolean>, everyMs: number, patienceMs: number): Promise<void> {
	const end = performance.now() + patienceMs;
	while (!(await isSo())) {
		if (performance.now() > end) throw new Error("it took too long");
		await Bun.sleep(everyMs);
	}
}
