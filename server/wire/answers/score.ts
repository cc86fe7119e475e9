/** Rounds scores to four digits, more than any score is exact to. */
export function roundScore(score: number): number {
	return Math.round(score * 10_000) / 10_000;
}
