/** Where backups of the kill run go: a folder or a bucket, read with nothing of what is tested. */

import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { bytesIn, type S3Peer } from "../../doubles/s3-peer.ts";
import type { History } from "./history.ts";

export interface Place {
	/** For `cairn`; of one file, with its name. */
	readonly address: (name?: string) => string;
	/** What `cairn` needs to reach it. */
	readonly env: Readonly<Record<string, string>>;
	/** The paths of all files below it. */
	readonly files: () => Promise<readonly string[]>;
	readonly read: (name: string) => Promise<string>;
	readonly remove: (name: string) => Promise<void>;
}

/** One that is whole. */
export interface Backup {
	readonly address: string;
	readonly env: Place["env"];
	/** What it has to hold. */
	readonly history: History;
}

export function folderAt(path: string): Place {
	return {
		address: (name = "") => join(path, name),
		env: {},
		files: async () => {
			const entries = existsSync(path) ? await readdir(path, { recursive: true, withFileTypes: true }) : [];
			return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1));
		},
		read: (name) => readFile(join(path, name), "utf8"),
		remove: (name) => rm(join(path, name), { force: true, recursive: true }),
	};
}

export function bucketAt(peer: S3Peer, prefix: string): Place {
	const start = `${prefix}/`;
	return {
		address: (name) => peer.address(name === undefined ? prefix : `${start}${name}`),
		env: peer.env,
		files: async () => [...peer.objects.keys()].filter((key) => key.startsWith(start)).map((key) => key.slice(start.length)),
		read: async (name) => bytesIn(peer, `${start}${name}`).toString(),
		remove: async (name) => void peer.objects.delete(`${start}${name}`),
	};
}

const ofBackup = /^cairn-[\dT-]+Z\.(tar|json)$/;

/** The backups in a place that `cairn` has named, oldest first. */
export async function backupNames(place: Place): Promise<readonly string[]> {
	return (await place.files()).filter((name) => ofBackup.test(name)).toSorted();
}

/** Looks whether the shared files of incremental backups are those that the manifests name: none is missing, and none is left over. */
export async function sharedFaults(place: Place): Promise<readonly string[]> {
	const needed = new Set<string>();
	for (const name of (await backupNames(place)).filter((each) => each.endsWith(".json"))) {
		const { files } = JSON.parse(await place.read(name)) as { files: readonly { sha256: string }[] };
		for (const { sha256 } of files) needed.add(`objects/${sha256.slice(0, 2)}/${sha256}`);
	}
	const there = new Set((await place.files()).filter((name) => name.startsWith("objects/")));
	const missing = [...needed].filter((name) => !there.has(name));
	const left = [...there].filter((name) => !needed.has(name));
	return [...missing.map((name) => `${name} is missing in ${place.address()}`), ...left.map((name) => `${name} is left in ${place.address()}`)];
}
