/** The index files of one partition: their names, loading them with all checks, publishing and removing them. */

import { open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { VectorMatrix } from "../matrix/vector-matrix.ts";
import { addressKey, fileStem, type PartitionAddress } from "../partition-address.ts";
import { type BuiltIndex, type IndexManifest, manifestText, readManifest } from "./index-manifest.ts";
import { readRows, rowsBytes } from "./rows-file.ts";

export interface IndexPaths {
	readonly manifest: string;
	readonly rows: string;
}

export function indexPaths(folder: string, address: PartitionAddress, generation: string): IndexPaths {
	const stem = join(folder, fileStem(address));
	return { manifest: `${stem}.json`, rows: `${stem}-${generation}.rows` };
}

/** The seed of all checksums of an index, so that a file of another index never passes. */
export function checksumSeed(address: PartitionAddress, generation: string): string {
	return `${addressKey(address)} ${generation}`;
}

/**
 * The manifest of the index on disk; null if there is none, or if the file is missing or has the wrong length. The contents are only checked by
 * `loadIndex`.
 */
export async function storedManifest(folder: string, address: PartitionAddress): Promise<IndexManifest | null> {
	const text = await readText(indexPaths(folder, address, "").manifest);
	const manifest = text === null ? "missing" : readManifest(text, address);
	if (typeof manifest === "string") return null;
	return (await areWhole(indexPaths(folder, address, manifest.generation), manifest)) ? manifest : null;
}

/** @returns null if there is no index, or as a string why the one on disk cannot be used. */
export async function loadIndex(folder: string, address: PartitionAddress): Promise<VectorMatrix | string | null> {
	const text = await readText(indexPaths(folder, address, "").manifest);
	if (text === null) return null;
	const manifest = readManifest(text, address);
	if (typeof manifest === "string") return manifest;
	try {
		return await loadFile(indexPaths(folder, address, manifest.generation), manifest, address);
	} catch (thrown) {
		return `its files cannot be read: ${thrown instanceof Error ? thrown.message : thrown}`;
	}
}

async function loadFile(paths: IndexPaths, manifest: IndexManifest, address: PartitionAddress): Promise<VectorMatrix | string> {
	if (!(await areWhole(paths, manifest))) return "its file is missing or has the wrong length";
	return readRows(paths.rows, manifest, checksumSeed(address, manifest.generation));
}

async function areWhole(paths: IndexPaths, manifest: IndexManifest): Promise<boolean> {
	const rowsFile = await stat(paths.rows).catch(() => null);
	return rowsFile?.size === rowsBytes(manifest);
}

/** Makes a newly built file the index of the partition in one step, by replacing the manifest, which names it. */
export async function publishIndex(folder: string, address: PartitionAddress, generation: string, built: BuiltIndex): Promise<void> {
	const paths = indexPaths(folder, address, generation);
	const draft = `${paths.manifest}.tmp`;
	await rename(`${paths.rows}.tmp`, paths.rows);
	await writeFile(draft, manifestText(address, generation, built));
	await syncPath(draft);
	await syncPath(folder);
	await rename(draft, paths.manifest);
	await syncPath(folder);
}

/** Removes all files of a partition, or those of all generations but one. A thread that has mapped an old file can still use it. */
export function removeIndex(folder: string, address: PartitionAddress, { except }: { readonly except?: string } = {}): Promise<void> {
	const stem = fileStem(address);
	const kept = except === undefined ? [] : [`${stem}.json`, `${stem}-${except}.rows`];
	return removeFiles(folder, (name) => name.startsWith(stem) && !kept.includes(name));
}

/** Removes what interrupted builds have left, and the files of partitions that no longer exist. */
export function sweepFolder(folder: string, isWanted: (stem: string) => boolean): Promise<void> {
	return removeFiles(folder, (name) => name.endsWith(".tmp") || !isWanted(name.split(/[-.]/, 2).join("-")));
}

async function removeFiles(folder: string, isOld: (name: string) => boolean): Promise<void> {
	for (const name of await readdir(folder)) {
		// If a mapped file cannot be removed yet, the next sweep removes it.
		if (isOld(name)) await rm(join(folder, name), { force: true }).catch(() => undefined);
	}
}

/** Makes a file or folder durable. Without this a loss of power may leave a manifest that names empty files. */
export async function syncPath(path: string): Promise<void> {
	const file = await open(path, "r");
	try {
		await file.sync();
	} finally {
		await file.close();
	}
}

async function readText(path: string): Promise<string | null> {
	try {
		return await readFile(path, "utf8");
	} catch {
		return null;
	}
}
