/** Finds the organisation that a command works on: the one that `--organisation` names by its id or its name, or the first one. */

import { fail } from "../../core/errors/fail.ts";
import type { NamedOrganisation } from "../../core/plugin/contract/folder-tools.ts";

/** @returns null if nothing was named and there is none yet. @throws ServiceError `COMMAND_INVALID` if the name is that of none, or of several */
export function findOrganisation(all: readonly NamedOrganisation[], wanted: string | null): NamedOrganisation | null {
	if (wanted === null) return all[0] ?? null;
	const found = all.filter(({ id }) => id === wanted);
	const named = found.length > 0 ? found : all.filter(({ name }) => name === wanted);
	if (named.length > 1)
		throw fail("COMMAND_INVALID", `several organisations are called ${wanted}: use the id of one of them, ${named.map(({ id }) => id).join(", ")}`);
	if (named[0] === undefined) throw fail("COMMAND_INVALID", `there is no organisation ${wanted}; there ${listed(all)}`);
	return named[0];
}

function listed(all: readonly NamedOrganisation[]): string {
	return all.length === 0 ? "is none yet" : `are ${all.map(({ id, name }) => `${name} (${id})`).join(", ")}`;
}
