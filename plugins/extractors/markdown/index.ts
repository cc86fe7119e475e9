/** Markdown with GitHub's tables and lists, and front matter. */

import { markdownSignatures } from "../../formats/markdown/signatures.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

// Pasted text is read in the sandbox as well: a few kilobytes of brackets can keep a Markdown parser busy for minutes, and a running process costs a millisecond.
export default sandboxedExtractors("extractor-markdown", {
	name: "markdown",
	signatures: markdownSignatures,
	engine: new URL("../../formats/markdown/engine.ts", import.meta.url),
	input: contentOf,
});
