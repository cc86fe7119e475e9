/** For a key with grants, a request that names no container means the key's own. For other keys it stays as it is. */

import type { Caller } from "../../../core/model/caller.ts";
import { isRecord } from "./is-record.ts";

const spellings = ["containerTag", "containerTags", "container_tag", "container_tags"];

/** Where one is meant: the first that the key may write to, or the first if it may write to none. */
export function withOwnContainer(raw: unknown, { grants }: Caller): unknown {
	const own = grants?.find(({ permission }) => permission === "write") ?? grants?.[0];
	return own === undefined || !isRecord(raw) || namesContainer(raw) ? raw : { ...raw, containerTag: own.containerTag };
}

/** Where several may be meant: all of them. */
export function withOwnContainers(raw: unknown, { grants }: Caller): unknown {
	return grants === null || !isRecord(raw) || namesContainer(raw) ? raw : { ...raw, containerTags: grants.map(({ containerTag }) => containerTag) };
}

/** Null and an empty list name nothing. */
function namesContainer(raw: Readonly<Record<string, unknown>>): boolean {
	return spellings.some((name) => {
		const given = raw[name];
		return given !== undefined && given !== null && !(Array.isArray(given) && given.length === 0);
	});
}
