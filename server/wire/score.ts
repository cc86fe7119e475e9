/** Scores as they are shown: four digits tell more than any scorer knows. */
export function roundScore(score: number): number {
	return Math.round(score * 10_000) / 10_000;
}
