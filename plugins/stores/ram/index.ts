/** Keeps everything in RAM: nothing is left after the process ends. For tests. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { ramBlobs } from "./blobs.ts";
import { ramRecords } from "./storage.ts";

export default definePlugin({
	name: "ram",
	contract: 1,
	configure: (given, { use }) => (use.storage === "ram" ? { options: given } : null),
	options: z.strictObject({}),
	start: (_chosen, { world }) => ({ storage: [ramRecords(world.now)], blobStore: [ramBlobs(world)] }),
});
