/** Rounds scores to four digits; no score is more precise. */
export function roundScore(score: number): number {
	return Math.round(score * 10_000) / 10_000;
}
