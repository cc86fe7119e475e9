/** A first sync of many files without the rest of the server: one connection of 10,000 files after another, with cursors kept as core keeps them. */

import { limits } from "cairn-memory";
import { runSync } from "../core/connections/run-sync.ts";
import onedrive from "../plugins/connectors/onedrive/index.ts";
import { createConnectorHost, startConnector } from "../test/doubles/connector-host.ts";
import { signIn } from "../test/doubles/sign-in.ts";
import { createStep } from "../test/doubles/step.ts";
import { wordsOf as textOf } from "../test/plugins/connectors/signed-in.ts";
import { drivesOf, perDrive, startLibraries, wordsOf } from "./first-sync-peer.ts";
import { memoryMb } from "./soak/resources.ts";
import type { SyncTarget } from "./sync-target.ts";
import { shown, timesOf } from "./times.ts";

const titles = ["Files", "Time", "Processor time", "Memory of its own", "Most until then", "Longest cursor", "Wrong or missing", "Search p50", "p99"];

export async function syncAlone(total: number, target: SyncTarget): Promise<void> {
	const { origin, host, clientId, clientSecret, stop } = await startLibraries(total);
	const connector = await startConnector(onedrive({ clientId, clientSecret, endpoint: origin }), createConnectorHost([host]));
	const step = { ...createStep(), accessToken: await signIn(connector) };
	const table = new Table();
	console.log(`| ${titles.join(" | ")} |\n|${titles.map(() => "---|").join("")}`);
	// As many searches as between two rows of a quick sync, with nothing else to do.
	await Bun.sleep(15_000);
	table.row(0, target);
	let [wrong, brought] = [0, 0];
	for (const [number, drive] of drivesOf(total).entries()) {
		const connection = `connection-${number}`;
		const here = new Set<string>();
		await runSync(
			{
				connector,
				config: connector.configure({ folders: drive }, limits.connectionDocumentsMax),
				cursor: null,
				put: async (item) => {
					if (here.has(item.key) || !textOf(item).startsWith(wordsOf(number, Number(item.key.split("file-").at(-1))))) wrong++;
					here.add(item.key);
					await target.put(item, connection);
					if (++brought % 1_000 === 0) table.look();
				},
				remove: async () => void wrong++,
				storeCursor: async (cursor) => {
					table.longest = Math.max(table.longest, JSON.stringify(cursor).length);
					await target.storeCursor(cursor, connection);
				},
				elapsedMs: () => performance.now(),
			},
			step,
		);
		table.wrong = wrong += Math.min(perDrive, total - number * perDrive) - here.size;
		table.row(brought, target);
	}
	await Bun.sleep(15_000);
	table.row(brought, target);
	stop();
	await target.close();
	if (wrong > 0) throw new Error(`${wrong} files are wrong or missing`);
}

class Table {
	readonly #began = performance.now();
	#mostMb = 0;
	longest = 0;
	wrong = 0;

	/** What nobody else has: not the pages of the database, which the system takes back. */
	look(): number {
		const mb = Math.round(memoryMb(process.pid, "RssAnon") + memoryMb(process.pid, "VmSwap"));
		this.#mostMb = Math.max(this.#mostMb, mb);
		return mb;
	}

	row(files: number, target: SyncTarget): void {
		const { user, system } = process.cpuUsage();
		const mb = this.look();
		const { p50, p99, count } = timesOf(target.searches());
		const cells = [
			...[files, `${Math.round((performance.now() - this.#began) / 1_000)} s`, `${Math.round((user + system) / 1e6)} s`, `${mb} MiB`, `${this.#mostMb} MiB`],
			...[`${Math.round(this.longest / 1_024)} KiB`, this.wrong, ...(count === 0 ? ["", ""] : [shown(p50), shown(p99)])],
		];
		console.log(`| ${cells.join(" | ")} |`);
	}
}
