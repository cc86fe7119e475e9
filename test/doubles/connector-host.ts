/** What a connector needs to be tried out: the real guarded fetch with some hosts allowed, engines in process, a clock whose pauses take no time. */

import type { Connector, Host, Log, Plugin } from "cairn-memory";
import { createGuardedConnect } from "../../server/boot/network/guarded-connect.ts";
import { createGuardedFetch } from "../../server/boot/network/guarded-fetch.ts";
import { createHost } from "./extractor-host.ts";

export interface ConnectorHost extends Host {
	/** How long the connector wanted to sleep, each time. */
	readonly pauses: readonly number[];
}

/** @param allow hosts with their ports, as an operator would allow them. */
export function createConnectorHost(allow: readonly string[], log: Log = () => undefined): ConnectorHost {
	const pauses: number[] = [];
	const { world, ...host } = createHost();
	let sleptMs = 0;
	const elapsedMs = () => performance.now() + sleptMs;
	const sleep = async (ms: number) => {
		pauses.push(ms);
		sleptMs += ms;
	};
	const network = { fetch: createGuardedFetch({ allow, log }), connect: createGuardedConnect({ allow, log }) };
	return { ...host, ...network, log, world: { ...world, now: () => new Date(), elapsedMs, sleep }, pauses };
}

export async function startConnector(plugin: Plugin, host: Host): Promise<Connector> {
	const checked = await plugin.options["~standard"].validate(plugin.rawOptions);
	if (checked.issues !== undefined) throw new Error(JSON.stringify(checked.issues));
	const [connector] = (await plugin.start(checked.value, host)).connector ?? [];
	if (connector === undefined) throw new Error("the plugin offers no connector");
	return connector;
}
