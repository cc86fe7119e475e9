/**
 * Which embedder the operator wants while the server runs, and the progress of the switch: two small files in the data folder,
 * which only the operator can write to. `cairn embedder` writes the one and reads the other.
 */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface EmbedderWish {
	readonly use: string;
	/** The embedder in the settings at that time. When the settings name another one, the wish ends: that change is deliberate. */
	readonly over: string;
}

export interface EmbedderStatus {
	/** The one whose vectors answer searches. */
	readonly active: string;
	/** The one whose vectors are made; null for none. */
	readonly next: { readonly name: string; readonly written: number; readonly share: number } | null;
	/** To which going back is quick; null when nothing was switched or its plugin is gone. */
	readonly previous: string | null;
	/** All that may be named. */
	readonly known: readonly string[];
	/** What the settings name. */
	readonly configured: string;
	/** Why a wish is not heard; null when it is. */
	readonly complaint: string | null;
	readonly at: string;
}

export function embedderFolder(dataDir: string): string {
	return join(dataDir, "embedder");
}

export function readWish(dataDir: string): EmbedderWish | null {
	const value = read(join(embedderFolder(dataDir), "wish.json"));
	return isWish(value) ? value : null;
}

export function writeWish(dataDir: string, wish: EmbedderWish | null): void {
	if (wish === null) rmSync(join(embedderFolder(dataDir), "wish.json"), { force: true });
	else write(dataDir, "wish.json", wish);
}

export function readStatus(dataDir: string): EmbedderStatus | null {
	const value = read(join(embedderFolder(dataDir), "status.json"));
	// Only the server writes it.
	return typeof value === "object" && value !== null && "active" in value && "known" in value ? (value as EmbedderStatus) : null;
}

export function writeStatus(dataDir: string, status: EmbedderStatus): void {
	write(dataDir, "status.json", status);
}

function isWish(value: unknown): value is EmbedderWish {
	return typeof value === "object" && value !== null && "use" in value && typeof value.use === "string" && "over" in value && typeof value.over === "string";
}

function read(file: string): unknown {
	try {
		return JSON.parse(readFileSync(file, "utf8"));
	} catch {
		return null;
	}
}

/** Written as a whole, since it may be read at the same time. */
function write(dataDir: string, name: string, value: unknown): void {
	const folder = embedderFolder(dataDir);
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const part = join(folder, `.${name}.${process.pid}`);
	writeFileSync(part, `${JSON.stringify(value, null, "\t")}\n`, { mode: 0o600 });
	renameSync(part, join(folder, name));
}
