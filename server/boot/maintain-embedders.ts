/** Selects the embedder while the server runs: the one in the settings, or the one that the operator has switched to. */

import { planSpaces } from "../../core/embedding-spaces/plan-spaces.ts";
import { switchSpaces } from "../../core/embedding-spaces/switch-spaces.ts";
import type { Parts } from "../../core/parts.ts";
import type { Embedder } from "../../core/plugin/contract.ts";
import type { Settings } from "../settings/settings.ts";
import { type EmbedderStatus, readEmbedderRequest, writeEmbedderRequest, writeStatus } from "./embedder-request.ts";
import { embedderState } from "./embedder-status.ts";

export interface EmbedderMaintenance {
	/** Selects the embedder before anything is written or searched. */
	readonly begin: () => Promise<void>;
	/** Handles switch requests until the signal is aborted. */
	readonly run: (signal: AbortSignal) => Promise<void>;
}

const updateEveryMs = 500;

export function createEmbedderMaintenance(
	{ dataDir, use }: Pick<Settings, "dataDir" | "use">,
	{ embedders, storage, world }: Pick<Parts, "embedders" | "storage" | "world">,
): EmbedderMaintenance {
	const { log } = world;
	const { chosen } = embedders;
	let plannedSpace: string | null = null;
	let problem: string | null = null;
	let lastReport = "";

	function requestedEmbedder(): Embedder {
		const request = readEmbedderRequest(dataDir);
		problem = null;
		if (request === null) return chosen;
		if (request.over !== use.embedder) {
			log("info", "the embedder in the settings has changed; the request to switch is dropped", { wished: request.use, configured: use.embedder });
			writeEmbedderRequest(dataDir, null);
			return chosen;
		}
		const found = embedders.named(request.use);
		if (found === null) problem = `no embedder is called ${request.use}`;
		return found ?? chosen;
	}

	async function update(): Promise<void> {
		const embedder = requestedEmbedder();
		if (embedder.space.name !== plannedSpace) await planSpaces(embedder, { spaces: storage.spaces, embedders, log });
		plannedSpace = embedder.space.name;
		await report();
	}

	/** Writes the status when it has changed. */
	async function report(): Promise<void> {
		const status: Omit<EmbedderStatus, "at"> = { ...(await embedderState({ embedders, storage })), configured: use.embedder, complaint: problem };
		const text = JSON.stringify(status);
		if (text === lastReport) return;
		lastReport = text;
		if (problem !== null) log("warn", "the request to switch the embedder cannot be fulfilled", { reason: problem });
		writeStatus(dataDir, { ...status, at: world.now().toISOString() });
	}

	return {
		begin: update,
		run: async (signal) => {
			const spaceSwitch = switchSpaces({ embedders, storage, world }, signal);
			while (!signal.aborted) {
				await update().catch((thrown: unknown) => log("error", "the state of the embedders could not be updated", { reason: String(thrown) }));
				await world.sleep(updateEveryMs, signal);
			}
			await spaceSwitch;
		},
	};
}
