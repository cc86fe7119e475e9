/** `/v3/memories…`, as the first clients called `/v3/documents…`: the same answers, and no word about them in the description. */

import type { Operation } from "./operation.ts";

const oldName = "/v3/memories";
const name = "/v3/documents";
/** Younger than the old name, so no client knows them by it. */
const youngerThanTheName = "/v3/documents/documents";

/** Of each operation under the present name there is one under the old. */
export function oldNames(operations: readonly Operation[]): readonly Operation[] {
	const named = operations.filter(({ path }) => (path === name || path.startsWith(`${name}/`)) && !path.startsWith(youngerThanTheName));
	return named.map((operation) => ({ ...operation, path: operation.path.replace(name, oldName), detail: null, isOld: true }));
}
