/** XML: feeds with their entries, outlines, the words of drawings, texts, and records as fields and tables. */

import { xmlSigns } from "../../formats/xml-documents/signs.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-xml", {
	name: "xml",
	signs: xmlSigns,
	engine: new URL("../../formats/xml-documents/engine.ts", import.meta.url),
	input: contentOf,
});
