/** The files of one word index: their names, loading them with all checks, publishing and removing them. */

import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { piecesOf, readPieces } from "../../index-files/file-pieces.ts";
import { type IndexFiles, indexFiles, publishFiles, readManifestText, removeFiles } from "../../index-files/index-files.ts";
import { type WordAddress, wordAddressKey, wordFileStem } from "../word-address.ts";
import { storedLayout } from "./stored-layout.ts";
import { StoredTexts } from "./stored-texts.ts";
import { type BuiltWords, readWordManifest, type WordManifest, wordManifestText } from "./word-manifest.ts";

export interface LoadedWords {
	readonly texts: StoredTexts;
	readonly manifest: WordManifest;
}

/** An index on disk that cannot be used, and why. */
export interface Distrusted {
	readonly reason: string;
	readonly generation: string | null;
}

export function wordFolder(storageFolder: string): string {
	return join(storageFolder, "words");
}

export function wordPaths(folder: string, address: WordAddress, generation: string): IndexFiles {
	return indexFiles(folder, wordFileStem(address), generation, "words");
}

/**
 * The manifest of the index on disk; null if there is none, or if its file is missing or has the wrong length. The contents are only checked
 * by `loadWords`.
 */
export async function storedWordManifest(folder: string, address: WordAddress): Promise<WordManifest | null> {
	const text = await readManifestText(wordPaths(folder, address, ""));
	const manifest = text === null ? "missing" : readWordManifest(text, address);
	return typeof manifest !== "string" && (await isWhole(folder, address, manifest)) ? manifest : null;
}

/** @returns null if there is no index. */
export async function loadWords(folder: string, address: WordAddress): Promise<LoadedWords | Distrusted | null> {
	const text = await readManifestText(wordPaths(folder, address, ""));
	if (text === null) return null;
	const manifest = readWordManifest(text, address);
	if (typeof manifest === "string") return { reason: manifest, generation: null };
	const { generation } = manifest;
	try {
		const texts = await loadFile(folder, address, manifest);
		return typeof texts === "string" ? { reason: texts, generation } : { texts, manifest };
	} catch (thrown) {
		return { reason: `its file cannot be read: ${thrown instanceof Error ? thrown.message : thrown}`, generation };
	}
}

async function loadFile(folder: string, address: WordAddress, manifest: WordManifest): Promise<StoredTexts | string> {
	if (!(await isWhole(folder, address, manifest))) return "its file is missing or has the wrong length";
	const path = wordPaths(folder, address, manifest.generation).data;
	if ((await wordChecksum(path, manifest, address, manifest.generation)) !== manifest.checksum) return "the checksum is wrong";
	return new StoredTexts(Bun.mmap(path, { shared: false }), manifest);
}

/** The checksum of a file. Its seed is the address and the generation, so that a file of another index never passes. */
export function wordChecksum(path: string, sizes: Parameters<typeof storedLayout>[0], address: WordAddress, generation: string): Promise<string | null> {
	return readPieces(path, piecesOf(0, storedLayout(sizes).end), `${wordAddressKey(address)} ${generation}`);
}

async function isWhole(folder: string, address: WordAddress, manifest: WordManifest): Promise<boolean> {
	const file = await stat(wordPaths(folder, address, manifest.generation).data).catch(() => null);
	return file?.size === storedLayout(manifest).end;
}

export function publishWords(folder: string, address: WordAddress, generation: string, built: BuiltWords): Promise<void> {
	return publishFiles(folder, wordPaths(folder, address, generation), wordManifestText(address, generation, built));
}

export function removeOtherWords(folder: string, address: WordAddress, generation: string): Promise<void> {
	return removeFiles(folder, wordFileStem(address), Object.values(wordPaths(folder, address, generation)));
}

/** Removes an index that cannot be used, so that a new one is built. If it has been replaced in the meantime, the new one stays. */
export async function removeDistrusted(folder: string, address: WordAddress, { generation }: Distrusted): Promise<void> {
	const paths = wordPaths(folder, address, generation ?? "");
	const text = await readManifestText(paths);
	const manifest = text === null ? "missing" : readWordManifest(text, address);
	if ((typeof manifest === "string" ? null : manifest.generation) !== generation) return;
	await rm(paths.manifest, { force: true });
	if (generation !== null) await rm(paths.data, { force: true });
}
