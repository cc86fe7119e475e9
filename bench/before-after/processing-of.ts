/** How long the list of what is in process keeps the server's thread, while very many documents wait. */

import { post } from "../client.ts";
import { key, startServer, temporaryFolder } from "../server.ts";
import { median } from "../times.ts";

const waiting = 60_000;
const batch = 600;
const asked = 15;
const headers = { authorization: `Bearer ${key}` };

export async function processingOf(checkout: string): Promise<{ readonly shown: string; readonly value: number }> {
	await using folder = await temporaryFolder();
	// One at a time, so that the queue stays long while it is asked about.
	const server = await startServer(folder.path, [], { CAIRN_DOCUMENTS_AT_ONCE: "1" }, checkout);
	try {
		for (let start = 0; start < waiting; start += batch) {
			const documents = Array.from({ length: batch }, (_, i) => ({ content: `Note ${start + i} waits.`, taskType: "superrag" }));
			await post(server, "/v3/documents/batch", { documents });
		}
		await server.loop();
		const took: number[] = [];
		let total = 0;
		for (let i = 0; i < asked; i++) {
			const began = performance.now();
			const response = await fetch(`${server.address}/v3/documents/processing`, { headers });
			({ total } = (await response.json()) as { total: number });
			took.push(performance.now() - began);
		}
		const { computedMs } = await server.loop();
		return { value: computedMs, shown: `thread busy ${computedMs.toFixed(0)} ms, answer ${median(took).toFixed(0)} ms (${total} waiting)` };
	} finally {
		await server.kill();
	}
}
