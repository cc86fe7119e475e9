/**
 * The operator's request to switch the embedder of a running server, and the progress: two small files in the data folder.
 * `cairn embedder` writes the first and reads the second.
 */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EmbedderState } from "./embedder-status.ts";

export interface EmbedderRequest {
	readonly use: string;
	/** The embedder in the settings at the time of the request. If the settings change, the request is dropped. */
	readonly over: string;
}

export interface EmbedderStatus extends EmbedderState {
	/** The embedder in the settings. */
	readonly configured: string;
	/** Why the request cannot be fulfilled; null if it can. */
	readonly complaint: string | null;
	/** The time of the report, in ISO 8601. */
	readonly at: string;
}

export function embedderFolder(dataDir: string): string {
	return join(dataDir, "embedder");
}

export function readEmbedderRequest(dataDir: string): EmbedderRequest | null {
	const value = read(join(embedderFolder(dataDir), "wish.json"));
	return isEmbedderRequest(value) ? value : null;
}

export function writeEmbedderRequest(dataDir: string, request: EmbedderRequest | null): void {
	if (request === null) rmSync(join(embedderFolder(dataDir), "wish.json"), { force: true });
	else write(dataDir, "wish.json", request);
}

export function readStatus(dataDir: string): EmbedderStatus | null {
	const value = read(join(embedderFolder(dataDir), "status.json"));
	// Only the server writes this file, so a few members identify it.
	return typeof value === "object" && value !== null && "active" in value && "known" in value ? (value as EmbedderStatus) : null;
}

export function writeStatus(dataDir: string, status: EmbedderStatus): void {
	write(dataDir, "status.json", status);
}

function isEmbedderRequest(value: unknown): value is EmbedderRequest {
	return typeof value === "object" && value !== null && "use" in value && typeof value.use === "string" && "over" in value && typeof value.over === "string";
}

function read(file: string): unknown {
	try {
		return JSON.parse(readFileSync(file, "utf8"));
	} catch {
		return null;
	}
}

/** Written atomically, since it may be read at the same time. */
function write(dataDir: string, name: string, value: unknown): void {
	const folder = embedderFolder(dataDir);
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const temporary = join(folder, `.${name}.${process.pid}`);
	writeFileSync(temporary, `${JSON.stringify(value, null, "\t")}\n`, { mode: 0o600 });
	renameSync(temporary, join(folder, name));
}
