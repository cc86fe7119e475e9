/** XML: feeds, OPML outlines, the text of SVG drawings, prose, and any other XML as fields and tables. */

import { xmlSignatures } from "../../formats/xml-documents/signatures.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-xml", {
	name: "xml",
	signatures: xmlSignatures,
	engine: new URL("../../formats/xml-documents/engine.ts", import.meta.url),
	input: contentOf,
});
