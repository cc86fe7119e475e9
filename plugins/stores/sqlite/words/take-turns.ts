/** Shares a thread between callers in turns: a caller with many questions waits for itself, the others for one of its questions at most. */

export interface Turns<Asked> {
	readonly put: (whose: string, asked: Asked) => void;
}

/** @param begin what it computes at once is one turn; what it waits for meanwhile keeps nobody. */
export function takeTurns<Asked>(begin: (asked: Asked) => void): Turns<Asked> {
	/** Whose turn is next comes first. */
	const waiting = new Map<string, Asked[]>();
	let isGoing = false;

	function next(): void {
		const [turn] = waiting;
		if (turn === undefined) {
			isGoing = false;
			return;
		}
		const [whose, line] = turn;
		const asked = line.shift();
		waiting.delete(whose);
		if (line.length > 0) waiting.set(whose, line);
		// What has arrived meanwhile is put in line first.
		setImmediate(next);
		if (asked !== undefined) begin(asked);
	}

	return {
		put: (whose, asked) => {
			const line = waiting.get(whose);
			if (line === undefined) waiting.set(whose, [asked]);
			else line.push(asked);
			if (isGoing) return;
			isGoing = true;
			next();
		},
	};
}
