/** What a scene of the kill run gets, and what it says. Each scene ends with one kill and the comparison that follows. */

import type { Backup, Place } from "./backup-places.ts";
import type { LiveFolder } from "./live-folder.ts";

export interface Scene {
	/** Documents and memories that were compared with what was acknowledged. */
	readonly compared: number;
	/** Whether the kill met what the scene is about, and not the time before or after it. */
	readonly isMet: boolean;
	readonly faults: readonly string[];
}

export interface Stage {
	/** For folders of single scenes. */
	readonly folder: string;
	readonly live: LiveFolder;
	readonly random: () => number;
	readonly places: {
		/** For full backups, for incremental ones, and for both in a bucket, all made by commands. */
		readonly full: Place;
		readonly incremental: Place;
		readonly bucket: Place;
		/** Where the server of the live folder takes its own backups. */
		readonly served: Place;
	};
	/** The newest whole backup of each kind, by the name of its scene. */
	readonly backups: Map<string, Backup>;
	/** A checkout of an earlier version, which is started on folders whose upgrade was killed; null for none. */
	readonly olderVersion: string | null;
}

export const pause = (random: () => number, msMax: number) => Bun.sleep(random() * msMax);
