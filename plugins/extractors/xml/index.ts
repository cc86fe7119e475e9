/** XML: feeds with their entries, outlines, the words of drawings, texts, and records as fields and tables. */

import { xmlSignatures } from "../../formats/xml-documents/signatures.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-xml", {
	name: "xml",
	signatures: xmlSignatures,
	engine: new URL("../../formats/xml-documents/engine.ts", import.meta.url),
	input: contentOf,
});
