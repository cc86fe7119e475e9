/** A query rewriter for what a house calls things: people ask for "the loft", the documents say "14 Tern Lane". */

import { definePlugin, limits, type QueryRewriter } from "cairn-memory";
import { z } from "zod";

const options = z.strictObject({
	/** What people say → what the documents say. */
	words: z.record(z.string().trim().min(1), z.string().trim().min(1)).default({}),
});

export default definePlugin({
	name: "cairn-plugin-rewrite-house-words",
	contract: 1,
	options,
	start: ({ words }) => ({ queryRewriter: [houseWords(words)] }),
});

function houseWords(words: Readonly<Record<string, string>>): QueryRewriter {
	const known = Object.entries(words).map(([said, written]) => ({ said: wholeWord(said), written }));
	return {
		name: "house-words",
		rewrite: async (query) => {
			const phrasing = known.reduce((text, { said, written }) => text.replace(said, () => written), query);
			return phrasing === query || phrasing.length > limits.queryCharactersMax ? [] : [phrasing];
		},
	};
}

/** Neither a letter nor a digit beside it, so that "loft" is not found in "lofty". */
function wholeWord(said: string): RegExp {
	return new RegExp(`(?<![\\p{L}\\p{N}])${said.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")}(?![\\p{L}\\p{N}])`, "giu");
}
