/** Tells where the items of tagged lists begin. */

import { pathOf } from "./structure-tree.ts";
import { closest, roles, type TagNode } from "./tag-node.ts";

export interface TaggedItems {
	/** The depth of the item that begins with this element, from 0; null if none begins: it is no item, or one that goes on. */
	readonly beginsAt: (element: TagNode | undefined) => number | null;
}

const depthMax = 6;

/** For all pages of a document, since an item may go on on the next page. */
export function createTaggedItems(): TaggedItems {
	const begun = new Set<string>();
	return {
		beginsAt(element) {
			const item = closest(element, (role) => role === roles.item);
			if (item === undefined) return null;
			const path = pathOf(item).join("/");
			if (begun.has(path)) return null;
			begun.add(path);
			let depth = -1;
			for (let node: TagNode | undefined = item; node !== undefined; node = node.parent) if (node.role === roles.list) depth++;
			return Math.min(depthMax, Math.max(0, depth));
		},
	};
}
