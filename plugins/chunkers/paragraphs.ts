/** Packs whole blocks of any kind into chunks; the fallback chunker. */

import { type Chunker, definePlugin } from "cairn-memory";
import { packPieces, pieceSplitter, targetSize } from "cairn-memory/words";

const paragraphs: Chunker = {
	name: "paragraphs",
	accepts: ["*/*"],
	chunk: async ({ blocks, text }, { charactersMax, charactersWanted }, step) => {
		const target = targetSize(text, charactersMax, charactersWanted);
		const split = pieceSplitter(charactersMax, text);
		const pieces = blocks.flatMap((block) => {
			step.signal.throwIfAborted();
			return split(block);
		});
		return packPieces(pieces, target, charactersMax);
	},
};

export default definePlugin({
	name: "chunker-paragraphs",
	contract: 1,
	start: () => ({ chunker: [paragraphs] }),
});
