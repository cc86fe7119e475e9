/** The files of one word index on disk: names, loading with every check, publishing, removing. */

import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { piecesOf, readPieces } from "../../vectors/files/file-pieces.ts";
import { syncPath } from "../../vectors/files/index-folder.ts";
import { type WordAddress, wordAddressKey, wordFileStem } from "../word-address.ts";
import { storedLayout } from "./stored-layout.ts";
import { StoredTexts } from "./stored-texts.ts";
import { type BuiltWords, readWordManifest, type WordClaims, wordManifestText } from "./word-manifest.ts";

export interface LoadedWords {
	readonly texts: StoredTexts;
	readonly claims: WordClaims;
}

export interface WordPaths {
	readonly manifest: string;
	readonly texts: string;
}

/** Why an index on disk is not to be trusted, and which it is. */
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

/** What the index on disk claims, when its file is there in its full length; null otherwise. What is in it is seen when it is loaded. */
export async function storedWordClaims(folder: string, address: WordAddress): Promise<WordClaims | null> {
	const text = await readText(wordPaths(folder, address, "").manifest);
	const claims = text === null ? "missing" : readWordManifest(text, address);
	return typeof claims !== "string" && (await isWhole(folder, address, claims)) ? claims : null;
}

/** @returns null when there is no index. */
export async function loadWords(folder: string, address: WordAddress): Promise<LoadedWords | Distrusted | null> {
	const text = await readText(wordPaths(folder, address, "").manifest);
	if (text === null) return null;
	const claims = readWordManifest(text, address);
	if (typeof claims === "string") return { reason: claims, generation: null };
	const { generation } = claims;
	try {
		const texts = await loadClaimed(folder, address, claims);
		return typeof texts === "string" ? { reason: texts, generation } : { texts, claims };
	} catch (thrown) {
		return { reason: `its file cannot be read: ${thrown instanceof Error ? thrown.message : thrown}`, generation };
	}
}

async function loadClaimed(folder: string, address: WordAddress, claims: WordClaims): Promise<StoredTexts | string> {
	if (!(await isWhole(folder, address, claims))) return "its file is missing or has the wrong length";
	const path = wordPaths(folder, address, claims.generation).texts;
	if ((await wordChecksum(path, claims, address, claims.generation)) !== claims.checksum) return "the checksum is wrong";
	return new StoredTexts(Bun.mmap(path, { shared: false }), claims);
}

/** Begins with what the file is of, so that one that belongs elsewhere never passes. */
export function wordChecksum(path: string, sizes: Parameters<typeof storedLayout>[0], address: WordAddress, generation: string): Promise<string | null> {
	return readPieces(path, piecesOf(0, storedLayout(sizes).end), `${wordAddressKey(address)} ${generation}`);
}

async function isWhole(folder: string, address: WordAddress, claims: WordClaims): Promise<boolean> {
	const file = await stat(wordPaths(folder, address, claims.generation).texts).catch(() => null);
	return file?.size === storedLayout(claims).end;
}

/** Makes a file that was built beside it the index, in one step: the manifest names it. */
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

/** Removes all of an index's files but those of one generation. Who has mapped an old one keeps it until done. */
export function removeWords(folder: string, address: WordAddress, exceptGeneration: string | null): Promise<void> {
	const stem = wordFileStem(address);
	const kept = exceptGeneration === null ? [] : [`${stem}.json`, `${stem}-${exceptGeneration}.words`];
	return removeFiles(folder, (name) => name.startsWith(stem) && !kept.includes(name));
}

/** Removes an index that cannot be trusted, so that a new one is built; one that has come in its place meanwhile stays. */
export async function removeDistrusted(folder: string, address: WordAddress, { generation }: Distrusted): Promise<void> {
	const { manifest, texts } = wordPaths(folder, address, generation ?? "");
	const text = await readText(manifest);
	const claims = text === null ? "missing" : readWordManifest(text, address);
	if ((typeof claims === "string" ? null : claims.generation) !== generation) return;
	await rm(manifest, { force: true });
	if (generation !== null) await rm(texts, { force: true });
}

/** Removes what a build that was cut short has left behind, and the files of organisations that are gone. */
export function sweepWords(folder: string, isWanted: (stem: string) => boolean): Promise<void> {
	return removeFiles(folder, (name) => name.endsWith(".tmp") || !isWanted(name.split(/[-.]/, 2).join("-")));
}

async function removeFiles(folder: string, isOld: (name: string) => boolean): Promise<void> {
	for (const name of await readdir(folder)) {
		// Where a mapped file cannot be removed yet, the next sweep will.
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
