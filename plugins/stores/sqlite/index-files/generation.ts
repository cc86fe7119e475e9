/** Names the builds of an index file (generations), and decides when a file is rebuilt only because it has deleted content. */

import { stat } from "node:fs/promises";

/** The length of a time of this century as epoch milliseconds in base 36. */
const momentCharacters = 8;

/** The share of time that may be spent on builds that only remove deleted content. */
const erasingShare = 1 / 20;
const dayMs = 24 * 60 * 60_000;

/** A unique name that begins with the time at which the build begins. */
export function newGeneration(): string {
	return `${Date.now().toString(36)}${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? ""}`;
}

/**
 * Whether an index file with deleted content is to be rebuilt now. The longer its build took, the longer it waits, but never longer
 * than a day.
 *
 * @param manifest path of the manifest, which is written at the end of a build.
 */
export async function isErasureDue(generation: string, manifest: string): Promise<boolean> {
	const builtAt = (await stat(manifest).catch(() => null))?.mtimeMs ?? 0;
	const buildMs = Math.max(0, builtAt - Number.parseInt(generation.slice(0, momentCharacters), 36));
	return Math.abs(Date.now() - builtAt) >= Math.min(dayMs, buildMs / erasingShare);
}
