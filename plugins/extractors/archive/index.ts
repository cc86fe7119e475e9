/** Archives: ZIP, TAR, GZIP and TAR in GZIP. Every file in them becomes a document of its own, the archive itself a list of them. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { forms, unpack } from "./unpack.ts";

export default definePlugin({
	name: "extractor-archive",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [{ name: "archive", accepts: forms, extract: (source, step) => unpack(source, host, step) }],
	}),
});
