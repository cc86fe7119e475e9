/** Whether the score of a memory is the chance that it answers the question: shares of right ones by band of scores, and the Brier score (Brier 1950). */

export interface JudgedScore {
	readonly score: number;
	readonly isRight: boolean;
	readonly isFirst: boolean;
}

/** The results of a question that are judged. */
export const judgedResults = 5;
const bands = [0, 0.6, 0.7, 0.8, 0.9] as const;

export function reportScores(judged: readonly JudgedScore[]): void {
	console.log("\n| score of a memory | first results | right | those behind them | right |\n|---|---|---|---|---|");
	for (const [i, from] of bands.entries()) {
		const inBand = judged.filter(({ score }) => score >= from && score < (bands[i + 1] ?? Number.POSITIVE_INFINITY));
		const cells = [true, false].map((first) => cellsOf(inBand.filter(({ isFirst }) => isFirst === first)));
		console.log(`| ${from === 0 ? "below 0.6" : `from ${from}`} | ${cells.join(" | ")} |`);
	}
	const shown = judged.filter(({ score }) => score >= 0.6);
	for (const [name, isFirst] of [
		["first results", true],
		["those behind them", false],
	] as const) {
		const some = shown.filter((each) => each.isFirst === isFirst);
		console.log(`\n${name} from 0.6: mean score ${mean(some.map(({ score }) => score)).toFixed(2)}, ${percent(some)} right of ${some.length}`);
	}
	console.log(`\nBrier score: ${mean(judged.map(({ score, isRight }) => (score - Number(isRight)) ** 2)).toFixed(3)}`);
}

function cellsOf(some: readonly JudgedScore[]): string {
	return `${some.length} | ${percent(some)}`;
}

function percent(some: readonly JudgedScore[]): string {
	return `${Math.round(100 * mean(some.map(({ isRight }) => Number(isRight))))} %`;
}

function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
