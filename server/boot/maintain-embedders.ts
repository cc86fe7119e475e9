/** Selects the embedder while the server runs: the one in the settings, or the one the operator has switched to since. */

import { planSpaces } from "../../core/embedding-spaces/plan-spaces.ts";
import { switchSpaces } from "../../core/embedding-spaces/switch-spaces.ts";
import type { Parts } from "../../core/parts.ts";
import type { Embedder } from "../../core/plugin/contract.ts";
import type { Settings } from "../settings/settings.ts";
import { type EmbedderStatus, readWish, writeStatus, writeWish } from "./embedder-wish.ts";

export interface EmbedderMaintenance {
	/** Selects the embedder before anything is written or searched. */
	readonly begin: () => Promise<void>;
	/** Handles switch requests until the signal is aborted. */
	readonly run: (signal: AbortSignal) => Promise<void>;
}

const lookEveryMs = 500;

export function createEmbedderMaintenance(
	{ dataDir, use }: Pick<Settings, "dataDir" | "use">,
	{ embedders, storage, world }: Pick<Parts, "embedders" | "storage" | "world">,
): EmbedderMaintenance {
	const { log } = world;
	const { chosen } = embedders;
	let planned: string | null = null;
	let complaint: string | null = null;
	let reported = "";

	function wanted(): Embedder {
		const wish = readWish(dataDir);
		complaint = null;
		if (wish === null) return chosen;
		if (wish.over !== use.embedder) {
			log("info", "the settings name another embedder than before; the wish for one is forgotten", { wished: wish.use, configured: use.embedder });
			writeWish(dataDir, null);
			return chosen;
		}
		const found = embedders.named(wish.use);
		if (found === null) complaint = `no embedder is called ${wish.use}`;
		return found ?? chosen;
	}

	async function look(): Promise<void> {
		const embedder = wanted();
		if (embedder.space.name !== planned) await planSpaces(embedder, { spaces: storage.spaces, embedders, log });
		planned = embedder.space.name;
		await report();
	}

	/** Writes the status when it has changed. */
	async function report(): Promise<void> {
		const { next, previous, written, share } = await storage.spaces.state();
		const nameOf = (space: string | null) => (space === null ? null : (embedders.ofSpace(space)?.name ?? null));
		const nextName = nameOf(next);
		const status: Omit<EmbedderStatus, "at"> = {
			active: embedders.active().name,
			next: nextName === null ? null : { name: nextName, written, share: Math.round(share * 1_000) / 1_000 },
			previous: nameOf(previous),
			known: embedders.names(),
			configured: use.embedder,
			complaint,
		};
		const text = JSON.stringify(status);
		if (text === reported) return;
		reported = text;
		if (complaint !== null) log("warn", "a wish for an embedder is not heard", { reason: complaint });
		writeStatus(dataDir, { ...status, at: world.now().toISOString() });
	}

	return {
		begin: look,
		run: async (signal) => {
			const switching = switchSpaces({ embedders, storage, world }, signal);
			while (!signal.aborted) {
				await look().catch((thrown: unknown) => log("error", "the embedder could not be tended", { reason: String(thrown) }));
				await world.sleep(lookEveryMs, signal);
			}
			await switching;
		},
	};
}
