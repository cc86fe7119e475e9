/** Jupyter notebooks: words, code and what it printed, without the pictures. */

import { notebookSigns } from "../../formats/notebook/signs.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-notebook", {
	name: "notebook",
	signs: notebookSigns,
	engine: new URL("../../formats/notebook/engine.ts", import.meta.url),
	input: contentOf,
});
