/** `/v3/memories…`, the old paths of `/v3/documents…`, with the same responses but not documented. */

import type { Operation } from "./operation.ts";

const oldName = "/v3/memories";
const name = "/v3/documents";
/** These routes are newer than the new name, so no client uses an old path for them. */
const youngerThanTheName = "/v3/documents/documents";

/** An operation with the old path for each that had one. */
export function oldNames(operations: readonly Operation[]): readonly Operation[] {
	const named = operations.filter(({ path }) => (path === name || path.startsWith(`${name}/`)) && !path.startsWith(youngerThanTheName));
	return named.map((operation) => ({ ...operation, path: operation.path.replace(name, oldName), detail: null, isOld: true }));
}
