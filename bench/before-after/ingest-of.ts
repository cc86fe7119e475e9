/** How many notes a second one version takes from accepted to done, and how fast it extracts memories of them. */

import { drained, send, unfinished, until } from "../client.ts";
import { createWriter } from "../notes.ts";
import { startServer, temporaryFolder } from "../server.ts";

const notes = 5_000;
const connections = 16;
const patienceMs = 900_000;

export async function ingestOf(checkout: string): Promise<{ readonly shown: string; readonly value: number }> {
	await using folder = await temporaryFolder();
	const server = await startServer(folder.path, [], {}, checkout);
	try {
		const writer = createWriter(11);
		const written = Array.from({ length: notes }, () => writer.note());
		const began = performance.now();
		await send(server, written, connections);
		await until(async () => (await unfinished(server)) === 0, 20, patienceMs);
		const done = performance.now();
		await drained(server, patienceMs);
		const value = (notes / (done - began)) * 1_000;
		const extracted = (notes / (performance.now() - done)) * 1_000;
		return { value, shown: `${Math.round(value)}/s, memories ${Math.round(extracted)}/s` };
	} finally {
		await server.stop();
	}
}
