/** The connections of an organisation that a caller may see: all, or those whose containers are within its grants. */

import { boundsOf } from "../access/bounds.ts";
import { fail } from "../errors/fail.ts";
import type { Caller } from "../model/caller.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { type ConnectionStore, connectionStore } from "./connection-store.ts";

/**
 * A key with grants cannot read records, and connections are records. This function is the only exception: it lets such a key
 * read the connections whose containers are all within its grants.
 */
export function openConnections(storage: Storage, { organisation, grants }: Caller, world: Pick<World, "now">): ConnectionStore {
	const all = connectionStore(storage.organisation(organisation).records, world);
	if (grants === null) return all;
	const { onlyReadable } = boundsOf(grants);
	const isReadable = (tags: readonly string[]) => onlyReadable(tags).length === tags.length;
	const refuse = async (): Promise<never> => {
		throw fail("ROLE_MISSING", "admin");
	};
	return {
		get: async (id) => {
			const connection = await all.get(id);
			return connection !== null && isReadable(connection.containerTags) ? connection : null;
		},
		list: async () => (await all.list()).filter(({ containerTags }) => isReadable(containerTags)),
		add: refuse,
		amend: refuse,
		remove: refuse,
	};
}
