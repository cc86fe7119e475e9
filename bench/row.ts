/** What a measure found, as one row of the table. */

export interface Row {
	readonly measure: string;
	readonly value: string;
	/** As it is printed; empty when the figure is only told. */
	readonly goal: string;
	/** Null where there is no goal. */
	readonly isMet: boolean | null;
}

/** A figure that is held against a goal. */
export function judged(measure: string, value: string, goal: string, isMet: boolean): Row {
	return { measure, value, goal, isMet };
}

/** A figure that explains others. */
export function told(measure: string, value: string): Row {
	return { measure, value, goal: "", isMet: null };
}

export function table(rows: readonly Row[]): string {
	const verdict = ({ isMet }: Row) => (isMet === null ? "" : isMet ? "yes" : "**no**");
	const lines = rows.map((row) => `| ${row.measure} | ${row.value} | ${row.goal} | ${verdict(row)} |`);
	return ["| measure | value | goal | met |", "|---|---|---|---|", ...lines].join("\n");
}
