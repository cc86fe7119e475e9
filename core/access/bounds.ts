/** What the grants of a key allow: which containers it may read, which it may change, and how a scope is limited to them. */

import { fail } from "../errors/fail.ts";
import type { Grants } from "../model/caller.ts";
import type { Scope } from "../model/scope.ts";

export interface Bounds {
	/** The tags that the key may read; the others are treated as if they did not exist. */
	readonly seen: (tags: readonly string[]) => readonly string[];
	/** Whether the key may read something with these tags: one readable tag is enough. */
	readonly sees: (tags: readonly string[]) => boolean;
	/** For tags that a request names. @throws ServiceError `CONTAINER_FORBIDDEN` unless the key sees them all */
	readonly demandSeen: (tags: readonly string[]) => void;
	/** For tags that a request names. @throws ServiceError `CONTAINER_FORBIDDEN` unless the key may write to them all */
	readonly demandWritable: (tags: readonly string[]) => void;
	/** For existing data; the error names no container that the key may not read. @throws ServiceError `CONTAINER_FORBIDDEN` unless the key may write to all of its tags */
	readonly demandOwned: (tags: readonly string[]) => void;
	/** A scope without tags becomes any of the key's own. @throws ServiceError `CONTAINER_FORBIDDEN` */
	readonly narrow: (scope: Scope) => Scope;
}

export function boundsOf(grants: Grants): Bounds {
	const readable = new Set(grants.map(({ containerTag }) => containerTag));
	const writable = new Set(grants.filter(({ permission }) => permission === "write").map(({ containerTag }) => containerTag));
	const seen = (tags: readonly string[]) => tags.filter((tag) => readable.has(tag));
	const demandSeen = (tags: readonly string[]) => {
		const foreign = tags.find((tag) => !readable.has(tag));
		if (foreign !== undefined) throw fail("CONTAINER_FORBIDDEN", `does not reach the container ${foreign}`);
	};
	const demandWritable = (tags: readonly string[]) => {
		demandSeen(tags);
		const readOnly = tags.find((tag) => !writable.has(tag));
		if (readOnly !== undefined) throw fail("CONTAINER_FORBIDDEN", `may only read the container ${readOnly}`);
	};
	return {
		seen,
		sees: (tags) => tags.some((tag) => readable.has(tag)),
		demandSeen,
		demandWritable,
		demandOwned: (tags) => {
			demandWritable(seen(tags));
			if (!tags.every((tag) => writable.has(tag))) throw fail("CONTAINER_FORBIDDEN", "may not change what other containers hold too");
		},
		narrow: (scope) => {
			demandSeen(scope.containerTags);
			return scope.containerTags.length > 0 ? scope : { ...scope, containerTags: [...readable], tagsMatch: "any" };
		},
	};
}
