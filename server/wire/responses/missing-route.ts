/** The error if no route matches. It suggests the most similar routes, since most such requests have a wrong letter, version or method. */

import { distance } from "fastest-levenshtein";
import { fail, type ServiceError } from "../../../core/errors/fail.ts";

export interface Route {
	readonly method: string;
	/** The path, with `:name` for parameters. */
	readonly path: string;
	/** An old route still works, but is not suggested. */
	readonly isOld?: boolean;
}

/** Longer paths are not compared: they are not misspellings, and the time grows with the square of their length. */
const pathCharactersMax = 200;
const suggestionsMax = 3;
/** Routes that differ in more characters are not suggested. Four allow a missing or wrong version; in a short path less than half may differ. */
const editsMax = 4;

export interface MissingRoute {
	readonly error: ServiceError;
	/** The methods that the path supports; empty if no route has this path. */
	readonly allowed: readonly string[];
}

export function missingRoute(method: string, path: string, routes: readonly Route[]): MissingRoute {
	if (path.length > pathCharactersMax) return { error: fail("ROUTE_MISSING", method, `${path.slice(0, pathCharactersMax)}…`, ""), allowed: [] };
	const candidates = routes.map((route) => ({ ...route, edits: distance(fillFrom(route.path, path), path) }));
	// A route without parameters takes precedence over one that matches any name.
	const exact = candidates.filter(({ edits }) => edits === 0);
	const matching = exact.some((route) => route.path === path) ? exact.filter((route) => route.path === path) : exact;
	const allowed = [...new Set(matching.map((route) => route.method))];
	if (allowed.length > 0) return { error: fail("METHOD_NOT_ALLOWED", method, path, allowed.join(", ")), allowed };
	const current = candidates.filter(({ isOld }) => isOld !== true);
	const nearest = Math.min(...current.map(({ edits }) => edits));
	const near = nearest <= Math.min(editsMax, (path.length - 1) / 2) ? current.filter(({ edits }) => edits === nearest) : [];
	const suggested = near.some((route) => route.method === method) ? near.filter((route) => route.method === method) : near;
	const suggestions = suggested.slice(0, suggestionsMax).map((route) => `${route.method} ${route.path.replaceAll(/:(\w+)/g, "{$1}")}`);
	return { error: fail("ROUTE_MISSING", method, path, suggestions.length === 0 ? "" : `; did you mean ${suggestions.join(" or ")}?`), allowed: [] };
}

/** Fills each `:name` of the template from the path, so that only the fixed segments are compared. */
function fillFrom(template: string, path: string): string {
	const segments = path.split("/");
	return template
		.split("/")
		.map((step, i) => (step.startsWith(":") ? segments[i] || step : step))
		.join("/");
}
