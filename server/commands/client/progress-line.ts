/** One line with a bar for many documents, redrawn on a terminal and left out elsewhere. */

const barWidth = 24;

export interface ProgressLine {
	readonly step: (hasFailed: boolean) => void;
	readonly end: () => void;
}

export function createProgressLine(total: number, isTerminal: boolean): ProgressLine {
	let [done, failed] = [0, 0];
	const draw = () => {
		const full = Math.round((done / Math.max(1, total)) * barWidth);
		const words = failed === 0 ? "" : `, ${failed} failed`;
		process.stderr.write(`\r\u001b[2K${"█".repeat(full)}${"░".repeat(barWidth - full)}  ${done} of ${total}${words}`);
	};
	if (isTerminal) draw();
	return {
		step: (hasFailed) => {
			done += 1;
			if (hasFailed) failed += 1;
			if (isTerminal) draw();
		},
		end: () => {
			if (isTerminal) process.stderr.write("\r\u001b[2K");
		},
	};
}
