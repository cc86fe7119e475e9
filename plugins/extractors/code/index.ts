/** Source code in the languages that programs are written in; chunks are cut along its syntax later. */

import type { ExtractorSource } from "cairn-memory";
import type { CodeInput } from "../../formats/code/engine.ts";
import { codeSignatures } from "../../formats/code/signatures.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

/** The languages that one ending tells from their nearest kin. */
const dialects: Readonly<Record<string, string>> = { tsx: "tsx", jsx: "jsx", scss: "scss", less: "less" };

export default sandboxedExtractors("extractor-code", {
	name: "code",
	signatures: codeSignatures,
	engine: new URL("../../formats/code/engine.ts", import.meta.url),
	input: async (source): Promise<CodeInput> => ({ content: await contentOf(source), language: languageOf(source) }),
});

function languageOf({ mediaType, fileName }: ExtractorSource): string {
	const ending = /\.([a-z]+)$/i.exec(fileName ?? "")?.[1]?.toLowerCase() ?? "";
	return dialects[ending] ?? mediaType.slice("text/x-".length);
}
