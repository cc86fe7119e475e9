/** The customIds of documents that come from connections. No client can give such a customId. */

/** A customId that comes over the wire has no slash in it. */
const pattern = /^connection\/([^/]{22})\//;

/** The name of what a connection knows by this key. */
export function syncedName(connection: string, key: string): string {
	return syncedNames(connection) + key;
}

/** How the names of all its documents begin. */
export function syncedNames(connection: string): string {
	return `connection/${connection}/`;
}

/** The connection that brought the document of this name; null when a client did. */
export function connectionOf(customId: string | null): string | null {
	return pattern.exec(customId ?? "")?.[1] ?? null;
}
