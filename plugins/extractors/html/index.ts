/** Web pages and other HTML: the content as blocks, without the boilerplate. */

import type { HtmlInput } from "../../formats/html/engine.ts";
import { htmlSignatures } from "../../formats/html/signatures.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-html", {
	name: "html",
	signatures: htmlSignatures,
	engine: new URL("../../formats/html/engine.ts", import.meta.url),
	input: async (source): Promise<HtmlInput> => ({ content: await contentOf(source), url: source.address?.href ?? null }),
});
