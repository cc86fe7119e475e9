/** Source code in programming languages. The chunker for code splits it along its syntax later. */

import type { ExtractorSource } from "cairn-memory";
import type { CodeInput } from "../../formats/code/engine.ts";
import { codeSignatures } from "../../formats/code/signatures.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

/** Languages by file extension, for dialects that share a media type with their language. */
const dialects: Readonly<Record<string, string>> = { tsx: "tsx", jsx: "jsx", scss: "scss", less: "less" };

export default sandboxedExtractors("extractor-code", {
	name: "code",
	signatures: codeSignatures,
	engine: new URL("../../formats/code/engine.ts", import.meta.url),
	input: async (source): Promise<CodeInput> => ({ content: await contentOf(source), language: languageOf(source) }),
});

function languageOf({ mediaType, fileName }: ExtractorSource): string {
	const extension = /\.([a-z]+)$/i.exec(fileName ?? "")?.[1]?.toLowerCase() ?? "";
	return dialects[extension] ?? mediaType.slice("text/x-".length);
}
