/** The door of the RAM storage: nothing is kept after the process ends. For tests, and for reading the ports. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { unsearchedRam } from "./storage.ts";

export default definePlugin({
	name: "ram",
	contract: 1,
	configure: (given, { use }) => (use.storage === "ram" ? { options: given } : null),
	options: z.strictObject({}),
	start: (_chosen, { world }) => ({ storage: [unsearchedRam(world.now)] }),
});
