/** Imports a module that the operator has listed: a config or a plugin. */

import { plugin } from "bun";
import { fail } from "../../core/errors/fail.ts";

let isRegistered = false;

/** The module's default export. @throws ServiceError `PACKAGE_MISSING`, `PLUGIN_UNLOADABLE`, and whatever the module throws */
export async function importDefaultExport(specifier: string): Promise<unknown> {
	resolveCairnPackage();
	const module: unknown = await import(specifier).catch((thrown: unknown) => {
		throw packageMissing(thrown) ?? thrown;
	});
	return typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
}

/**
 * Resolves `cairn-memory` and its entry points to this program for every module of this thread. Otherwise a file outside the
 * program's folder would find no such package, or another one of that name.
 */
export function resolveCairnPackage(): void {
	if (isRegistered) return;
	isRegistered = true;
	plugin({
		name: "cairn",
		setup: (build) => {
			build.module("cairn-memory", async () => ({ exports: await import("../../core/index.ts"), loader: "object" }));
			build.module("cairn-memory/stores", async () => ({ exports: await import("../../core/stores.ts"), loader: "object" }));
			build.module("cairn-memory/words", async () => ({ exports: await import("../../core/words.ts"), loader: "object" }));
			build.module("cairn-memory/sql", async () => ({ exports: await import("../../plugins/stores/sql/index.ts"), loader: "object" }));
		},
	});
}

/** What an import failed with, in one line, and where in the file, as far as that is known. */
export function importFault(thrown: unknown): string {
	const first: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
	if (!(first instanceof Error)) return inOneLine(String(first));
	const place = first instanceof BuildMessage ? placeOf(first) : stackPlace.exec(first.stack ?? "")?.[1];
	return inOneLine(place == null ? first.message : `${first.message} (${place})`);
}

/** The first line of a stack that is in a file: `at name (/path:1:2)` or `at /path:1:2`. */
const stackPlace = /^\s+at (?:.*? \()?(\/.+:\d+:\d+)\)?$/m;

function inOneLine(text: string): string {
	return text.trim().replaceAll(/\s*[\r\n]\s*/g, " ");
}

function placeOf({ position }: BuildMessage): string | null {
	return position === null ? null : `${position.file}:${position.line}:${position.column}`;
}

/** The error for a missing package, or a part of ours that nobody may import; null for any other, such as a file that does not exist. */
function packageMissing(thrown: unknown): Error | null {
	if (!(thrown instanceof ResolveMessage) || /^[./]|^file:/.test(thrown.specifier)) return null;
	if (thrown.specifier.startsWith("cairn-memory/"))
		return fail("PLUGIN_UNLOADABLE", thrown.referrer, `${thrown.specifier} is no entry point of cairn-memory, see docs/plugins.md`).because(thrown);
	return fail("PACKAGE_MISSING", thrown.referrer, thrown.specifier).because(thrown);
}
