/** The files of one word index: their names, loading them with all checks, publishing and removing them. */

import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { piecesOf, readPieces } from "../../vectors/files/file-pieces.ts";
import { syncPath } from "../../vectors/files/index-folder.ts";
import { type WordAddress, wordAddressKey, wordFileStem } from "../word-address.ts";
import { storedLayout } from "./stored-layout.ts";
import { StoredTexts } from "./stored-texts.ts";
import { type BuiltWords, readWordManifest, type WordManifest, wordManifestText } from "./word-manifest.ts";

export interface LoadedWords {
	readonly texts: StoredTexts;
	readonly manifest: WordManifest;
}

export interface WordPaths {
	readonly manifest: string;
	readonly texts: string;
}

/** An index on disk that cannot be used, and why. */
export interface Distrusted {
	readonly reason: string;
	readonly generation: string | null;
}

export function wordFolder(storageFolder: string): string {
	return join(storageFolder, "words");
}

export function wordPaths(folder: string, address: WordAddress, generation: string): WordPaths {
	const stem = join(folder, wordFileStem(address));
	return { manifest: `${stem}.json`, texts: `${stem}-${generation}.words` };
}

/**
 * The manifest of the index on disk; null if there is none, or if its file is missing or has the wrong length. The contents are only checked
 * by `loadWords`.
 */
export async function storedWordManifest(folder: string, address: WordAddress): Promise<WordManifest | null> {
	const text = await readText(wordPaths(folder, address, "").manifest);
	const manifest = text === null ? "missing" : readWordManifest(text, address);
	return typeof manifest !== "string" && (await isWhole(folder, address, manifest)) ? manifest : null;
}

/** @returns null if there is no index. */
export async function loadWords(folder: string, address: WordAddress): Promise<LoadedWords | Distrusted | null> {
	const text = await readText(wordPaths(folder, address, "").manifest);
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
	const path = wordPaths(folder, address, manifest.generation).texts;
	if ((await wordChecksum(path, manifest, address, manifest.generation)) !== manifest.checksum) return "the checksum is wrong";
	return new StoredTexts(Bun.mmap(path, { shared: false }), manifest);
}

/** The checksum of a file. Its seed is the address and the generation, so that a file of another index never passes. */
export function wordChecksum(path: string, sizes: Parameters<typeof storedLayout>[0], address: WordAddress, generation: string): Promise<string | null> {
	return readPieces(path, piecesOf(0, storedLayout(sizes).end), `${wordAddressKey(address)} ${generation}`);
}

async function isWhole(folder: string, address: WordAddress, manifest: WordManifest): Promise<boolean> {
	const file = await stat(wordPaths(folder, address, manifest.generation).texts).catch(() => null);
	return file?.size === storedLayout(manifest).end;
}

/** Makes a newly built file the index in one step, by replacing the manifest, which names it. */
export async function publishWords(folder: string, address: WordAddress, generation: string, built: BuiltWords): Promise<void> {
	const paths = wordPaths(folder, address, generation);
	const draft = `${paths.manifest}.tmp`;
	await rename(`${paths.texts}.tmp`, paths.texts);
	await writeFile(draft, wordManifestText(address, generation, built));
	await syncPath(draft);
	await syncPath(folder);
	await rename(draft, paths.manifest);
	await syncPath(folder);
}

/** Removes the files of all other generations of an index. A thread that has mapped an old file can still use it. */
export function removeOtherWords(folder: string, address: WordAddress, generation: string): Promise<void> {
	const stem = wordFileStem(address);
	const kept = [`${stem}.json`, `${stem}-${generation}.words`];
	return removeFiles(folder, (name) => name.startsWith(stem) && !kept.includes(name));
}

/** Removes an index that cannot be used, so that a new one is built. If it has been replaced in the meantime, the new one stays. */
export async function removeDistrusted(folder: string, address: WordAddress, { generation }: Distrusted): Promise<void> {
	const paths = wordPaths(folder, address, generation ?? "");
	const text = await readText(paths.manifest);
	const manifest = text === null ? "missing" : readWordManifest(text, address);
	if ((typeof manifest === "string" ? null : manifest.generation) !== generation) return;
	await rm(paths.manifest, { force: true });
	if (generation !== null) await rm(paths.texts, { force: true });
}

/** Removes what interrupted builds have left, and the files of organisations that no longer exist. */
export function sweepWords(folder: string, isWanted: (stem: string) => boolean): Promise<void> {
	return removeFiles(folder, (name) => name.endsWith(".tmp") || !isWanted(name.split(/[-.]/, 2).join("-")));
}

async function removeFiles(folder: string, isOld: (name: string) => boolean): Promise<void> {
	for (const name of await readdir(folder)) {
		// If a mapped file cannot be removed yet, the next sweep removes it.
		if (isOld(name)) await rm(join(folder, name), { force: true }).catch(() => undefined);
	}
}

async function readText(path: string): Promise<string | null> {
	try {
		return await readFile(path, "utf8");
	} catch {
		return null;
	}
}
