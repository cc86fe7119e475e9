/** The index files of one partition: their names, loading them with all checks, publishing and removing them. */

import { stat } from "node:fs/promises";
import { type IndexFiles, indexFiles, publishFiles, readManifestText, removeFiles } from "../../index-files/index-files.ts";
import type { VectorMatrix } from "../matrix/vector-matrix.ts";
import { addressKey, fileStem, type PartitionAddress } from "../partition-address.ts";
import { type BuiltIndex, type IndexManifest, manifestText, readManifest } from "./index-manifest.ts";
import { readRows, rowsBytes } from "./rows-file.ts";

export function indexPaths(folder: string, address: PartitionAddress, generation: string): IndexFiles {
	return indexFiles(folder, fileStem(address), generation, "rows");
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
	const text = await readManifestText(indexPaths(folder, address, ""));
	const manifest = text === null ? "missing" : readManifest(text, address);
	if (typeof manifest === "string") return null;
	return (await areWhole(indexPaths(folder, address, manifest.generation), manifest)) ? manifest : null;
}

/** @returns null if there is no index, or as a string why the one on disk cannot be used. */
export async function loadIndex(folder: string, address: PartitionAddress): Promise<VectorMatrix | string | null> {
	const text = await readManifestText(indexPaths(folder, address, ""));
	if (text === null) return null;
	const manifest = readManifest(text, address);
	if (typeof manifest === "string") return manifest;
	try {
		return await loadFile(indexPaths(folder, address, manifest.generation), manifest, address);
	} catch (thrown) {
		return `its files cannot be read: ${thrown instanceof Error ? thrown.message : thrown}`;
	}
}

async function loadFile(paths: IndexFiles, manifest: IndexManifest, address: PartitionAddress): Promise<VectorMatrix | string> {
	if (!(await areWhole(paths, manifest))) return "its file is missing or has the wrong length";
	return readRows(paths.data, manifest, checksumSeed(address, manifest.generation));
}

async function areWhole(paths: IndexFiles, manifest: IndexManifest): Promise<boolean> {
	const rowsFile = await stat(paths.data).catch(() => null);
	return rowsFile?.size === rowsBytes(manifest);
}

export function publishIndex(folder: string, address: PartitionAddress, generation: string, built: BuiltIndex): Promise<void> {
	return publishFiles(folder, indexPaths(folder, address, generation), manifestText(address, generation, built));
}

/** Removes all files of a partition, or those of all generations but one. */
export function removeIndex(folder: string, address: PartitionAddress, { except }: { readonly except?: string } = {}): Promise<void> {
	return removeFiles(folder, fileStem(address), except === undefined ? [] : Object.values(indexPaths(folder, address, except)));
}
