/** Stores all records in one folder: tables in SQLite, and indexes of vectors and words in files that can be rebuilt from the tables. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { copyFolder } from "./files/copy-folder.ts";
import { blobsNeeded, inspect, organisations, record, scrubFolder } from "./files/inspect.ts";
import { openDamaged } from "./files/open-damaged.ts";
import { readTables } from "./files/read-tables.ts";
import { rowTools } from "./rows.ts";
import { checkAfterMsDefault, openStorage } from "./storage.ts";
import { defaultLimits } from "./vectors/vectors-context.ts";

export default definePlugin({
	name: "sqlite",
	contract: 1,
	// A storage opens files when it starts, so only the chosen one is started.
	configure: (fileOptions, { use }) => (use.storage === "sqlite" ? { options: fileOptions } : null),
	folder: { storage: "sqlite", copy: copyFolder, inspect, scrub: scrubFolder, read: readTables, openDamaged, record, blobsNeeded, organisations },
	rows: rowTools,
	options: z.strictObject({
		/** Up to this many vectors, no index file is built, and scores are computed from the stored vectors. */
		scanMax: z.number().int().min(0).default(defaultLimits.wholeMax),
		/** A new index file is built when this many vectors are not in the old one. */
		rebuildAfter: z.number().int().min(1).default(defaultLimits.tailMin),
		/** So long after a start the whole database is looked through in the background, at most once a day. */
		checkAfterSeconds: z
			.number()
			.min(0)
			.default(checkAfterMsDefault / 1_000),
	}),
	start: ({ scanMax, rebuildAfter, checkAfterSeconds }, host) => {
		const storage = openStorage(host, { ...defaultLimits, wholeMax: scanMax, tailMin: rebuildAfter, checkAfterMs: checkAfterSeconds * 1_000 });
		return { storage: [storage], stop: storage.close };
	},
});
