/** Archives: ZIP, TAR, GZIP and TAR in GZIP. Every file in them becomes a document of its own, the archive itself a list of them. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { archiveSignatures } from "../../formats/archive/signatures.ts";
import { typesAndSignatures } from "../read-in-sandbox.ts";
import { unpack } from "./unpack.ts";

export default definePlugin({
	name: "extractor-archive",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [{ name: "archive", ...typesAndSignatures(archiveSignatures), extract: (source, step) => unpack(source, host, step) }],
	}),
});
