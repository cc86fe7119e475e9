/** Source code in the languages that programs are written in; chunks are cut along its syntax later. */

import { definePlugin, type ExtractorSource, type MediaType } from "cairn-memory";
import { z } from "zod";
import type { CodeInput } from "../../formats/code/engine.ts";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";

/** As they stand behind `text/x-`, which is how blocks of code are marked in Markdown as well. */
const languages =
	"bash c clojure cpp csharp css dart elixir erlang go groovy haskell java javascript julia kotlin lua nim objective-c ocaml perl php powershell protobuf python r ruby rust scala solidity sql svelte swift terraform typescript vue zig".split(
		" ",
	);

/** The languages that one ending tells from their nearest kin. */
const dialects: Readonly<Record<string, string>> = { tsx: "tsx", jsx: "jsx", scss: "scss", less: "less" };

export default definePlugin({
	name: "extractor-code",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [
			extractorOf<CodeInput>(host, {
				name: "code",
				accepts: languages.map((language): MediaType => `text/x-${language}`),
				engine: new URL("../../formats/code/engine.ts", import.meta.url),
				input: async (source) => ({ content: await contentOf(source), language: languageOf(source) }),
			}),
		],
	}),
});

function languageOf({ mediaType, fileName }: ExtractorSource): string {
	const ending = /\.([a-z]+)$/i.exec(fileName ?? "")?.[1]?.toLowerCase() ?? "";
	return dialects[ending] ?? mediaType.slice("text/x-".length);
}
