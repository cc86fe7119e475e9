/** Adds `/v3/memories…`, the old paths of `/v3/documents…`. They give the same responses and are not documented. */

import type { Operation } from "./operation.ts";

const oldPrefix = "/v3/memories";
const newPrefix = "/v3/documents";
/** These routes were added after the renaming, so no client uses an old path for them. */
const pathsWithoutOldName = "/v3/documents/documents";

/** A copy with the old path of each operation that had one. */
export function oldPathOperations(operations: readonly Operation[]): readonly Operation[] {
	const renamed = operations.filter(({ path }) => (path === newPrefix || path.startsWith(`${newPrefix}/`)) && !path.startsWith(pathsWithoutOldName));
	return renamed.map((operation) => ({ ...operation, path: operation.path.replace(newPrefix, oldPrefix), detail: null, isOld: true }));
}
