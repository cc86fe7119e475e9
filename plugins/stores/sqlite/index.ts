/** Keeps all records in one folder: tables in SQLite, vectors and words beside them in files that can be made anew. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { copyFolder } from "./files/copy-folder.ts";
import { blobsNeeded, inspect, scrubFolder } from "./files/inspect.ts";
import { openDamaged } from "./files/open-damaged.ts";
import { openStorage } from "./storage.ts";
import { defaultLimits } from "./vectors/vectors-context.ts";

export default definePlugin({
	name: "sqlite",
	contract: 1,
	// It opens files or takes memory when it starts: only the chosen storage does.
	configure: (given, { use }) => (use.storage === "sqlite" ? { options: given } : null),
	folder: { storage: "sqlite", copy: copyFolder, inspect, scrub: scrubFolder, openDamaged, blobsNeeded },
	options: z.strictObject({
		/** Up to this many vectors all are scanned with every search, and no index file is made. */
		scanMax: z.number().int().min(0).default(defaultLimits.wholeMax),
		/** A new index file is made when this many vectors are not in the old one. */
		rebuildAfter: z.number().int().min(1).default(defaultLimits.tailMin),
	}),
	start: ({ scanMax, rebuildAfter }, host) => {
		// Whoever wants fewer to be scanned wants the graph for the others.
		const graphMin = scanMax < defaultLimits.wholeMax ? scanMax : Math.max(scanMax, defaultLimits.graphMin);
		const storage = openStorage(host, { ...defaultLimits, wholeMax: scanMax, graphMin, tailMin: rebuildAfter });
		return { storage: [storage], stop: storage.close };
	},
});
