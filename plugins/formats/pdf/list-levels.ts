/** Determines the nesting level of list items from their indentation. */

export interface ListLevels {
	/** The nesting level of an item, from 0, by the x of its marker compared with the items before it. */
	readonly depthAt: (left: number) => number;
	/** To be called at the end of a list. */
	readonly end: () => void;
}

/** Markers of one level differ by at most this in x, in points. */
const sameLevelTolerance = 4;
const depthMax = 6;

export function createListLevels(): ListLevels {
	let levels: number[] = [];
	return {
		depthAt(left) {
			levels = levels.filter((level) => level < left + sameLevelTolerance);
			if ((levels.at(-1) ?? Number.NEGATIVE_INFINITY) < left - sameLevelTolerance) levels.push(left);
			return Math.min(depthMax, Math.max(0, levels.length - 1));
		},
		end() {
			levels = [];
		},
	};
}
