/** JSON and JSON Lines as text that suits a search: fields with their path, similar records as tables. */

import type { JsonInput } from "../../formats/json/engine.ts";
import { jsonSignatures } from "../../formats/json/signatures.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-json", {
	name: "json",
	signatures: jsonSignatures,
	engine: new URL("../../formats/json/engine.ts", import.meta.url),
	input: async (source): Promise<JsonInput> => ({ content: await contentOf(source), format: source.mediaType === "application/x-ndjson" ? "lines" : "json" }),
});
