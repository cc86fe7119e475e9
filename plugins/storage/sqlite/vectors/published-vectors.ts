/** The vectors of chunks that a room knows: one look-up for each, by its key, where the tables alone need three by text. */

import type { RoomAddress } from "./room-address.ts";
import type { RoomContents } from "./room-contents.ts";
import { existing, type VectorRow } from "./vector-tables.ts";
import type { VectorsContext } from "./vectors-context.ts";

type Owned = Pick<VectorRow, "vector"> & { readonly id: string };

/** Of those of the chunks that are published. */
export function publishedVectors(ids: readonly string[], contents: RoomContents, address: RoomAddress, context: VectorsContext): readonly Owned[] {
	const { found, gone } = byKeys(ids, contents, address, context);
	if (gone.length === 0) return found;
	contents.ownerKeys.lookUp(context.db(), gone);
	return [...found, ...byKeys(gone, contents, address, context).found];
}

/** `gone` are those that are no longer under the key at which they were. */
function byKeys(ids: readonly string[], { owners, ownerKeys }: RoomContents, address: RoomAddress, { db, epoch }: VectorsContext) {
	const version = epoch();
	const connection = db();
	const keys = ownerKeys.of(connection, ids);
	const known = owners.of(connection, [...keys.values()]);
	const shown = new Set(owners.published(connection, known, version).map(({ key }) => key));
	const hidden = new Set(known.flatMap(({ id, key }) => (shown.has(key) ? [] : [id])));
	const vectors = new Map(existing(connection, address, [...shown]).map(({ key, vector }) => [key, vector]));
	const found: Owned[] = [];
	const gone: string[] = [];
	for (const [id, key] of keys) {
		const vector = vectors.get(key);
		if (vector !== undefined) found.push({ id, vector });
		else if (!hidden.has(id)) gone.push(id);
	}
	return { found, gone };
}
