/** How deep a list item lies: by how far it is indented below the items before it. */

export interface ListLevels {
	/** The depth of an item whose mark stands there, in points from the left; the next ones are seen against it. */
	readonly depthAt: (left: number) => number;
	/** What comes next belongs to another list. */
	readonly end: () => void;
}

/** Marks of one level differ by no more, in points. */
const sameLevel = 4;
/** So far to the left only the next column begins, in points. */
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
