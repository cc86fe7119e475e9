/** Blocks as lines of plain text, for a cell or a note; list items keep their numbers. */

import type { ReadableBlock } from "cairn-memory";

export function flatLines(blocks: readonly ReadableBlock[]): string {
	return blocks.map(flatLine).join("\n");
}

function flatLine(block: ReadableBlock): string {
	const marker = block.kind === "list-item" ? (block.marker ?? "") : "";
	return /[\p{L}\p{N}]/u.test(marker) ? `${marker} ${block.text}` : block.text;
}
