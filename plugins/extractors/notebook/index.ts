/** Jupyter notebooks: text, code and its output, without pictures. */

import { notebookSignatures } from "../../formats/notebook/signatures.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-notebook", {
	name: "notebook",
	signatures: notebookSignatures,
	engine: new URL("../../formats/notebook/engine.ts", import.meta.url),
	input: contentOf,
});
