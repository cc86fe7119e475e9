/** Blocks as lines of plain text, for a cell or a note: what numbers an item stays with it. */

import type { ReadableBlock } from "cairn";

export function flatLines(blocks: readonly ReadableBlock[]): string {
	return blocks.map(({ text, marker = "" }) => (/[\p{L}\p{N}]/u.test(marker) ? `${marker} ${text}` : text)).join("\n");
}
