/** Healthy documents beside five that are read without end, against the same documents of a server that has nothing else to do. */

import { join } from "node:path";
import { healthyPdf } from "../test/doubles/hostile/hostile-pdfs.ts";
import { hostileFiles } from "../test/doubles/hostile-files.ts";
import { upload, waitUntilDone } from "./client.ts";
import type { Measure } from "./measure.ts";
import { judged, type Row } from "./row.ts";
import { type Server, startServer, temporaryFolder } from "./server.ts";
import { median, shown } from "./times.ts";

/** Whatever is allowed, they need more. */
const endless = ["gigabyteStream.pdf", "threefoldStream.pdf", "millionsOfOperators.pdf", "backticks.md", "lists.md"];
const limits = { CAIRN_EXTRACT_TIMEOUT_MS: "60000", CAIRN_EXTRACT_MEMORY_MB: "1024", CAIRN_SANDBOX_PROCESSES: "2" };
const scan = join(import.meta.dir, "../examples/documents/letter-scan.pdf");

/** With and without MuPDF, quick and slow to load. */
const kinds: Readonly<Record<string, (words: string) => Uint8Array>> = {
	"note.md": (words) => Buffer.from(`# ${words}\n\nIt *is* short.\n`),
	"note.pdf": (words) => healthyPdf(words),
	"note.txt": (words) => Buffer.from(`${words} is short.\n`),
};
const samples = 20;
/** A process is started in the place of the one that was just used. */
const calmMs = 400;
/** Until each of the five has had its turn. */
const settledMs = 2_000;

export const hostileNeighbours: Measure = async () => {
	await using folder = await temporaryFolder();
	const server = await startServer(folder.path, [], limits);
	try {
		await measure(server, 2);
		const alone = await measure(server, samples);
		for (const { fileName, make } of hostileFiles) if (endless.includes(fileName)) await upload(server, fileName, make());
		await Bun.sleep(settledMs);
		const beside = await measure(server, samples);
		return [...alone].map(([kind, ms]) => row(kind, median(ms), median(beside.get(kind) ?? [])));
	} finally {
		await server.kill();
	}
};

async function measure(server: Server, count: number): Promise<ReadonlyMap<string, readonly number[]>> {
	const took = new Map<string, number[]>();
	await Bun.sleep(calmMs);
	for (let sample = 0; sample < count; sample++) for (const [name, make] of Object.entries(kinds)) await add(name, make(`Healthy note ${crypto.randomUUID()}`));
	await add("scan.pdf", await Bun.file(scan).bytes());
	return took;

	async function add(name: string, bytes: Uint8Array): Promise<void> {
		const began = performance.now();
		await waitUntilDone(server, await upload(server, name, bytes));
		took.set(name, [...(took.get(name) ?? []), performance.now() - began]);
	}
}

function row(kind: string, alone: number, beside: number): Row {
	const value = `${shown(alone)}, ${shown(beside)} (${(beside / alone).toFixed(2)}×)`;
	return judged(`${kind}: uploaded to done, alone and beside five endless files`, value, "< 2×", beside < 2 * alone);
}
