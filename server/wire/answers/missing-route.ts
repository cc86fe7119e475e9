/** The error when no route matches, with the nearest route: most such requests have a wrong letter, version or method. */

import { distance } from "fastest-levenshtein";
import { fail, type ServiceError } from "../../../core/errors/fail.ts";

export interface Route {
	readonly method: string;
	/** With `:name` for what varies. */
	readonly path: string;
	/** It works, but is not suggested. */
	readonly isOld?: boolean;
}

/** Longer paths are no misspellings, and comparing takes the square of their length. */
const pathCharactersMax = 200;
const suggestionsMax = 3;
/** A version and its slash; in a short path, less than half of it. */
const awayMax = 4;

export interface MissingRoute {
	readonly error: ServiceError;
	/** The methods by which the path does answer; empty when it never does. */
	readonly allowed: readonly string[];
}

export function missingRoute(method: string, path: string, routes: readonly Route[]): MissingRoute {
	if (path.length > pathCharactersMax) return { error: fail("ROUTE_MISSING", method, `${path.slice(0, pathCharactersMax)}…`, ""), allowed: [] };
	const filled = routes.map((route) => ({ ...route, away: distance(fillFrom(route.path, path), path) }));
	// A route without anything that varies is meant before one that takes every name.
	const exact = filled.filter(({ away }) => away === 0);
	const here = exact.some((route) => route.path === path) ? exact.filter((route) => route.path === path) : exact;
	const allowed = [...new Set(here.map((route) => route.method))];
	if (allowed.length > 0) return { error: fail("METHOD_NOT_ALLOWED", method, path, allowed.join(", ")), allowed };
	const current = filled.filter(({ isOld }) => isOld !== true);
	const nearest = Math.min(...current.map(({ away }) => away));
	const near = nearest <= Math.min(awayMax, (path.length - 1) / 2) ? current.filter(({ away }) => away === nearest) : [];
	const meant = near.some((route) => route.method === method) ? near.filter((route) => route.method === method) : near;
	const suggestions = meant.slice(0, suggestionsMax).map((route) => `${route.method} ${route.path.replaceAll(/:(\w+)/g, "{$1}")}`);
	return { error: fail("ROUTE_MISSING", method, path, suggestions.length === 0 ? "" : `; did you mean ${suggestions.join(" or ")}?`), allowed: [] };
}

/** Fills each `:name` of the template from the path, so that only the fixed segments are compared. */
function fillFrom(template: string, path: string): string {
	const given = path.split("/");
	return template
		.split("/")
		.map((step, i) => (step.startsWith(":") ? given[i] || step : step))
		.join("/");
}
