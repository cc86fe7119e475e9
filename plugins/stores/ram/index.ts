/** Stores everything in RAM, so that it is lost when the process ends. For tests. */

import { definePlugin } from "cairn-memory";
import { ramBlobs } from "./blobs.ts";
import { ramRecords } from "./storage.ts";

export default definePlugin({
	name: "ram",
	contract: 1,
	configure: (fileOptions, { use }) => (use.storage === "ram" ? { options: fileOptions } : null),
	start: (_options, { world }) => ({ storage: [ramRecords(world.now)], blobStore: [ramBlobs(world)] }),
});
