/** A bar that is redrawn at each whole per cent, on a terminal only. */

import type { FolderPlace } from "./backup.ts";

const barWidth = 24;

/** @param named how the total is written */
export function progressBar({ isTerminal, writeError }: Pick<FolderPlace, "isTerminal" | "writeError">, named: (total: number) => string) {
	let shown = -1;
	return (done: number, total: number): void => {
		const percent = Math.floor((100 * done) / Math.max(1, total));
		if (!isTerminal || percent === shown) return;
		shown = percent;
		const full = Math.round((percent / 100) * barWidth);
		writeError(`\r\u001b[2K${"█".repeat(full)}${"░".repeat(barWidth - full)}  ${percent} % of ${named(total)}${percent === 100 ? "\n" : ""}`);
	};
}

export function megabytes(bytes: number): string {
	return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
