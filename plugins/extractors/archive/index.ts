/** Archives: ZIP, 7z, RAR, TAR, GZIP, bzip2, and TAR in these. Every file in an archive becomes a document of its own; the archive itself becomes a list of the files. */

import { definePlugin } from "cairn-memory";
import { archiveSignatures } from "../../formats/archive/signatures.ts";
import { typesAndSignatures } from "../read-in-sandbox.ts";
import { extractArchive } from "./unpack.ts";

export default definePlugin({
	name: "extractor-archive",
	contract: 1,
	start: (_options, host) => ({
		extractor: [{ name: "archive", ...typesAndSignatures(archiveSignatures), extract: (source, step) => extractArchive(source, host, step) }],
	}),
});
