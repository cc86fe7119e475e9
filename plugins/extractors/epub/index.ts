/** E-books: the chapters of an EPUB in reading order. */

import { epubSignatures } from "../../formats/epub/signatures.ts";
import { bytesInput, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-epub", {
	name: "epub",
	signatures: epubSignatures,
	engine: new URL("../../formats/epub/engine.ts", import.meta.url),
	input: bytesInput,
	// A book of a thousand pages takes some seconds.
	bounds: { timeoutMs: 120_000, memoryMb: 1_024 },
});
