/** One data folder that lives through all kills of its server, with the history of what its clients were told. */

import { join } from "node:path";
import { type ServerProcess, startServerProcess } from "../../doubles/server-process.ts";
import { type Checked, check } from "./check.ts";
import { type Clients, createClients } from "./clients.ts";
import { type History, newHistory } from "./history.ts";
import { env } from "./talk.ts";

export interface LiveFolder {
	readonly folder: string;
	readonly history: History;
	/** The server that runs now. */
	readonly server: () => ServerProcess;
	/** Lets clients write and does `meanwhile`, then kills the server, starts it again, and compares. */
	readonly killWhile: (
		meanwhile: (server: ServerProcess) => Promise<void>,
		afterRestart?: (server: ServerProcess) => Promise<readonly string[]>,
	) => Promise<Checked>;
	readonly checkAll: () => Promise<Checked>;
	readonly close: () => Promise<void>;
}

const connections = 6;

/** @param settings more settings of the server, asked before each start */
export async function openLiveFolder(parent: string, random: () => number, settings: () => Readonly<Record<string, string>> = () => ({})): Promise<LiveFolder> {
	const folder = join(parent, "live");
	await Bun.write(join(folder, "readme"), "the folder of the kill run\n");
	const history = newHistory();
	const clients: Clients = createClients(history, random);
	const start = () => startServerProcess(folder, { ...env, ...settings() });
	let server = await start();
	return {
		folder,
		history,
		server: () => server,
		async killWhile(meanwhile, afterRestart) {
			const working = clients.work(server, connections);
			await Promise.race([meanwhile(server), working]);
			await server.kill("SIGKILL");
			await working;
			server = await start();
			const more = (await afterRestart?.(server)) ?? [];
			const { faults, ...checked } = await check(server, history);
			return { ...checked, faults: [...more, ...faults] };
		},
		checkAll: () => check(server, history, true),
		close: async () => void (await server.kill("SIGKILL")),
	};
}
