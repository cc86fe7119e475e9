/** A first sync of many files by the connector alone, with cursors kept as core keeps them: one connection of 10,000 files after another. */

import { type Cursor, limits } from "cairn-memory";
import { runSync } from "../core/connections/run-sync.ts";
import onedrive from "../plugins/connectors/onedrive/index.ts";
import { createConnectorHost, startConnector } from "../test/doubles/connector-host.ts";
import { createStep } from "../test/doubles/step.ts";
import { signIn, wordsOf as textOf } from "../test/plugins/connectors/signed-in.ts";
import { drivesOf, perDrive, startLibraries, wordsOf } from "./first-sync-peer.ts";
import { memoryMb } from "./soak/resources.ts";

export async function syncAlone(total: number): Promise<void> {
	const { origin, host, clientId, clientSecret, stop } = await startLibraries(total);
	const connector = await startConnector(onedrive({ clientId, clientSecret, endpoint: origin }), createConnectorHost([host]));
	const step = { ...createStep(), accessToken: await signIn(connector) };
	const began = performance.now();
	let [mostMb, wrong, brought, longest] = [0, 0, 0, 0];
	console.log(
		"| Files | Time | Processor time of the process | Memory of its own | Most until then | Longest cursor | Wrong or missing |\n|---|---|---|---|---|---|---|",
	);
	const row = (files: number) => {
		const seconds = Math.round((performance.now() - began) / 1_000);
		const { user, system } = process.cpuUsage();
		const cells = [
			files,
			`${seconds} s`,
			`${Math.round((user + system) / 1e6)} s`,
			`${ownMb()} MiB`,
			`${mostMb} MiB`,
			`${Math.round(longest / 1_024)} KiB`,
			wrong,
		];
		console.log(`| ${cells.join(" | ")} |`);
	};
	const ownMb = () => {
		const mb = Math.round(memoryMb(process.pid, "RssAnon") + memoryMb(process.pid, "VmSwap"));
		mostMb = Math.max(mostMb, mb);
		return mb;
	};
	row(0);
	for (const [number, drive] of drivesOf(total).entries()) {
		const there = Math.min(perDrive, total - number * perDrive);
		const here = new Set<string>();
		await runSync(
			{
				connector,
				config: connector.configure({ folders: drive }, limits.connectionDocumentsMax),
				cursor: null,
				put: async (item) => {
					const file = Number(item.key.split("file-").at(-1));
					if (here.has(item.key) || !textOf(item).startsWith(wordsOf(number, file))) wrong++;
					here.add(item.key);
					if (++brought % 1_000 === 0) ownMb();
				},
				remove: async () => void wrong++,
				storeCursor: async (cursor: Cursor) => {
					longest = Math.max(longest, JSON.stringify(cursor).length);
				},
				elapsedMs: () => performance.now(),
			},
			step,
		);
		wrong += there - here.size;
		row(brought);
	}
	stop();
	if (wrong > 0) throw new Error(`${wrong} files are wrong or missing`);
}
