/** Markdown with GitHub's tables and lists, and front matter. */

import { markdownSignatures } from "../../formats/markdown/signatures.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

// Also what came as text: a few kilobytes of brackets keep a Markdown parser busy for minutes, and a warm child costs a millisecond.
export default sandboxedExtractors("extractor-markdown", {
	name: "markdown",
	signatures: markdownSignatures,
	engine: new URL("../../formats/markdown/engine.ts", import.meta.url),
	input: contentOf,
});
