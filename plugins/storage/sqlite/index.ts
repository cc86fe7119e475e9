/** Keeps everything in one folder: tables in SQLite, vectors beside them in USearch files, bytes as files. */

import { definePlugin } from "cairn";
import { z } from "zod";
import { openStorage } from "./storage.ts";

export default definePlugin({
	name: "sqlite",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => {
		const storage = openStorage(host);
		return { storage: [storage], stop: storage.close };
	},
});
