/** A progress bar in one line, for many documents. It is drawn only on a terminal. */

const barWidth = 24;

export interface ProgressLine {
	readonly step: (hasFailed: boolean) => void;
	readonly end: () => void;
}

export function createProgressLine(total: number, isTerminal: boolean): ProgressLine {
	let [done, failed] = [0, 0];
	const draw = () => {
		const filledWidth = Math.round((done / Math.max(1, total)) * barWidth);
		const failures = failed === 0 ? "" : `, ${failed} failed`;
		process.stderr.write(`\r\u001b[2K${"█".repeat(filledWidth)}${"░".repeat(barWidth - filledWidth)}  ${done} of ${total}${failures}`);
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
