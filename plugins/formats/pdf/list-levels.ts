/** The nesting level of list items, by their indentation. */

export interface ListLevels {
	/** The depth of an item by the x of its marker, compared with the items before it. */
	readonly depthAt: (left: number) => number;
	/** The list ends here. */
	readonly end: () => void;
}

/** In points: markers of one level differ by no more. */
const sameLevel = 4;
/** In points: further left the next column begins. */
const depthMax = 6;

export function createListLevels(): ListLevels {
	let levels: number[] = [];
	return {
		depthAt(left) {
			levels = levels.filter((level) => level < left + sameLevel);
			if ((levels.at(-1) ?? Number.NEGATIVE_INFINITY) < left - sameLevel) levels.push(left);
			return Math.min(depthMax, Math.max(0, levels.length - 1));
		},
		end() {
			levels = [];
		},
	};
}
