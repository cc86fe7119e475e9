/** What the grants of a key allow: which containers it may read, which it may change, and how a scope is limited to them. */

import { fail } from "../errors/fail.ts";
import type { Grants } from "../model/caller.ts";
import type { Scope } from "../model/scope.ts";

export interface Bounds {
	/** The containers that the key may read. */
	readonly readable: readonly string[];
	/** Keeps the tags that the key may read; the others are treated as if they did not exist. */
	readonly onlyReadable: (tags: readonly string[]) => readonly string[];
	/** Whether the key may read something with these tags: one readable tag is enough. */
	readonly canRead: (tags: readonly string[]) => boolean;
	/** Checks the tags that a request names. @throws ServiceError `CONTAINER_FORBIDDEN` unless the key may read them all */
	readonly demandReadable: (tags: readonly string[]) => void;
	/** Checks the tags that a request names. @throws ServiceError `CONTAINER_FORBIDDEN` unless the key may write to them all */
	readonly demandWritable: (tags: readonly string[]) => void;
	/** Checks the tags of stored data; the error names no container that the key may not read. @throws ServiceError `CONTAINER_FORBIDDEN` unless the key may write to all of its tags */
	readonly demandAllWritable: (tags: readonly string[]) => void;
	/** Limits a scope to the grants: one without tags matches any container that the key may read. @throws ServiceError `CONTAINER_FORBIDDEN` */
	readonly narrow: (scope: Scope) => Scope;
}

export function boundsOf(grants: Grants): Bounds {
	const readable = new Set(grants.map(({ containerTag }) => containerTag));
	const writable = new Set(grants.filter(({ permission }) => permission === "write").map(({ containerTag }) => containerTag));
	const onlyReadable = (tags: readonly string[]) => tags.filter((tag) => readable.has(tag));
	const demandReadable = (tags: readonly string[]) => {
		const forbidden = tags.find((tag) => !readable.has(tag));
		if (forbidden !== undefined) throw fail("CONTAINER_FORBIDDEN", `has no access to the container ${forbidden}`);
	};
	const demandWritable = (tags: readonly string[]) => {
		demandReadable(tags);
		const readOnly = tags.find((tag) => !writable.has(tag));
		if (readOnly !== undefined) throw fail("CONTAINER_FORBIDDEN", `may only read the container ${readOnly}`);
	};
	return {
		readable: [...readable],
		onlyReadable,
		canRead: (tags) => tags.some((tag) => readable.has(tag)),
		demandReadable,
		demandWritable,
		demandAllWritable: (tags) => {
			demandWritable(onlyReadable(tags));
			if (!tags.every((tag) => writable.has(tag))) throw fail("CONTAINER_FORBIDDEN", "may not change what is also in a container outside its grants");
		},
		narrow: (scope) => {
			demandReadable(scope.containerTags);
			return scope.containerTags.length > 0 ? scope : { ...scope, containerTags: [...readable], tagsMatch: "any" };
		},
	};
}
