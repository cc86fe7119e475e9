/** `/v3/memories…`, as the first clients called `/v3/documents…`: the same handlers, and no word about them in the description. */

import { type AnyElysia, Elysia } from "elysia";

const oldName = "/v3/memories";
const name = "/v3/documents";
/** Younger than the old name, so no client knows them by it. */
const youngerThanTheName = "/v3/documents/documents";

/** @param routes all that there are; of each under the present name there will be one under the old. */
export function oldNameRoutes(routes: AnyElysia["routes"]) {
	const aliases = new Elysia();
	for (const { method, path, handler } of routes) {
		const isUnderName = path === name || path.startsWith(`${name}/`);
		if (!isUnderName || path.startsWith(youngerThanTheName)) continue;
		// Each of them reads its body itself.
		aliases.route(method, path.replace(name, oldName), handler, { parse: "none", detail: { hide: true, deprecated: true } });
	}
	return aliases;
}
