/** The name of one build of an index file, and when such a file is built anew only because something in it was deleted. */

import { stat } from "node:fs/promises";

/** So many characters has a moment of this century. */
const momentCharacters = 8;

/** Of the time that passes, this share may go into builds that take out what was deleted. */
const erasingShare = 1 / 20;
const dayMs = 24 * 60 * 60_000;

/** Begins with the moment at which the build begins. */
export function newGeneration(): string {
	return `${Date.now().toString(36)}${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? ""}`;
}

/**
 * Whether an index file that holds something of what was deleted shall be built anew: at once, but a large one, whose build
 * takes long, only so often that building does not become all that is done; each within a day.
 *
 * @param manifest written at the end of its build
 */
export async function isErasureDue(generation: string, manifest: string): Promise<boolean> {
	const builtAt = (await stat(manifest).catch(() => null))?.mtimeMs ?? 0;
	const took = Math.max(0, builtAt - Number.parseInt(generation.slice(0, momentCharacters), 36));
	return Math.abs(Date.now() - builtAt) >= Math.min(dayMs, took / erasingShare);
}
