/** Splits a document at its headings: no chunk spans a heading, and each is indexed with its heading path. */

import { type Block, type ChunkDraft, type Chunker, definePlugin } from "cairn-memory";
import { packPieces, pieceSplitter, splitText, targetSize } from "cairn-memory/words";

/** The heading path may take this share of a chunk; if it is longer, the outermost headings are left out. */
const pathShare = 0.25;
const separator = " › ";

const headings: Chunker = {
	name: "headings",
	accepts: ["*/*"],
	recognizes: ({ blocks }) => blocks.some((block) => block.kind === "heading") && blocks.some((block) => block.kind !== "heading"),
	chunk: async ({ blocks, text }, { charactersMax, charactersWanted }, step) => {
		const target = targetSize(text, charactersMax, charactersWanted);
		return sections(blocks).flatMap((section) => {
			step.signal.throwIfAborted();
			const path = pathOf(section, Math.floor(charactersMax * pathShare));
			const bodyMax = charactersMax - (path === "" ? 0 : path.length + 2);
			const pieces = section.flatMap(pieceSplitter(bodyMax, text));
			return packPieces(pieces, Math.min(target, bodyMax), bodyMax).map((draft) => withPath(draft, path));
		});
	},
};

export default definePlugin({
	name: "chunker-headings",
	contract: 1,
	start: () => ({ chunker: [headings] }),
});

/** Each heading begins a section; headings with nothing between them stay together, so that no chunk is a heading alone. */
function sections(blocks: readonly Block[]): readonly (readonly Block[])[] {
	const found: Block[][] = [];
	let hasBody = true;
	for (const block of blocks) {
		if (block.text.trim() === "") continue;
		const isHeading = block.kind === "heading";
		const current = found.at(-1);
		if (current === undefined || (isHeading && hasBody)) found.push([block]);
		else current.push(block);
		hasBody = !isHeading;
	}
	return found;
}

/** The headings above the last block of a section. If they are too long, the outermost are left out. */
function pathOf(section: readonly Block[], charactersMax: number): string {
	const last = section.at(-1);
	if (last === undefined) return "";
	const names = last.headings.map((heading) => heading.replace(/\s+/g, " ").trim()).filter((heading) => heading !== "");
	while (names.length > 1 && names.join(separator).length > charactersMax) names.shift();
	const path = names.join(separator);
	const [span] = splitText(path, charactersMax);
	return span === undefined ? "" : path.slice(...span);
}

/** The whole path is added to every chunk, even to one that begins with its own headings. */
function withPath(draft: ChunkDraft, path: string): ChunkDraft {
	return path === "" ? draft : { ...draft, indexedText: `${path}\n\n${draft.indexedText}` };
}
