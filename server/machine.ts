/** What a server runs on: its embedder, which an administrator may switch, and the space that its data takes. */

import { fail } from "../core/errors/fail.ts";
import type { Parts } from "../core/parts.ts";
import { readEmbedderRequest, writeEmbedderRequest } from "./boot/embedder-request.ts";
import { type EmbedderState, embedderState } from "./boot/embedder-status.ts";
import type { Settings } from "./settings/settings.ts";

export interface MachineState {
	readonly embedder: EmbedderState & {
		readonly configured: string /** What was asked for; the server is on its way there, or is there. */;
		readonly requested: string;
	};
	/** Null where the storage does not know. */
	readonly storage: {
		readonly databaseBytes: number | null;
		readonly fileBytes: number | null;
		/** Why no original files are removed; null if they are. */
		readonly filesKeptBecause: string | null;
	};
}

export interface Machine {
	readonly state: () => Promise<MachineState>;
	/** Asks for another embedder, as `cairn embedder use` does. @throws ServiceError `PLUGIN_MISSING` */
	readonly useEmbedder: (name: string) => Promise<MachineState>;
}

export function createMachine({ dataDir, use }: Pick<Settings, "dataDir" | "use">, parts: Pick<Parts, "embedders" | "storage" | "world">): Machine {
	const { embedders, storage, world } = parts;
	async function state(): Promise<MachineState> {
		const [embedder, statistics] = await Promise.all([embedderState(parts), storage.statistics?.(world.now())]);
		const requested = readEmbedderRequest(dataDir)?.use ?? use.embedder;
		return {
			embedder: { ...embedder, configured: use.embedder, requested },
			storage: {
				databaseBytes: statistics?.databaseBytes ?? null,
				fileBytes: statistics?.blobBytes ?? null,
				filesKeptBecause: statistics?.blobsKeptBecause ?? null,
			},
		};
	}
	return {
		state,
		useEmbedder: (name) => {
			if (!embedders.names().includes(name)) throw fail("PLUGIN_MISSING", "embedder", name, embedders.names().join(", "));
			writeEmbedderRequest(dataDir, name === use.embedder ? null : { use: name, over: use.embedder });
			return state();
		},
	};
}
