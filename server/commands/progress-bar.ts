/** A progress bar that is redrawn at each whole per cent. It is drawn only on a terminal. */

import type { CommandContext } from "./backup.ts";

const barWidth = 24;

/** @param formatTotal formats the total */
export function progressBar({ isTerminal, writeError }: Pick<CommandContext, "isTerminal" | "writeError">, formatTotal: (total: number) => string) {
	let shownPercent = -1;
	return (done: number, total: number): void => {
		const percent = Math.floor((100 * done) / Math.max(1, total));
		if (!isTerminal || percent === shownPercent) return;
		shownPercent = percent;
		const filledWidth = Math.round((percent / 100) * barWidth);
		writeError(
			`\r\u001b[2K${"█".repeat(filledWidth)}${"░".repeat(barWidth - filledWidth)}  ${percent} % of ${formatTotal(total)}${percent === 100 ? "\n" : ""}`,
		);
	};
}

export function megabytes(bytes: number): string {
	return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
