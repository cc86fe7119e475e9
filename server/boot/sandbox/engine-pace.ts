/** How long calls to each engine took of late, to tell slow engines from quick ones. */

/** How much the last call counts. */
const weight = 0.3;

export interface EnginePace {
	readonly note: (engine: string, ms: number) => void;
	/** `null` when nothing is known yet. */
	readonly isQuick: (engine: string) => boolean | null;
}

export function createEnginePace(slowMs: number): EnginePace {
	const paceMs = new Map<string, number>();
	return {
		note: (engine, ms) => {
			const known = paceMs.get(engine);
			paceMs.set(engine, known === undefined ? ms : known * (1 - weight) + ms * weight);
		},
		isQuick: (engine) => {
			const known = paceMs.get(engine);
			return known === undefined ? null : known < slowMs;
		},
	};
}
