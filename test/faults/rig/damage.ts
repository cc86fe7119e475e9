/** Harms one file of a data folder, as disks and people do: bits flip, ends are cut, pages are zeros, files are gone. */

import { open, readdir, rm, stat, truncate } from "node:fs/promises";
import { join, relative } from "node:path";

export interface Harm {
	/** Below the data folder. */
	readonly file: string;
	readonly kind: (typeof kinds)[number];
	/** What exactly was done, to do it again. */
	readonly words: string;
}

const kinds = ["bits flipped", "cut", "pages zeroed", "missing"] as const;
const pageBytes = 8_192;
const flipsMax = 8;
const zeroedMax = 3;

/** The database is harmed in half of all cases, since everything is in it; then any file, each as often. */
export async function harmOne(folder: string, random: () => number): Promise<Harm> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries
		.filter((entry) => entry.isFile() && !entry.name.endsWith(".config.ts"))
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
	const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
	const file =
		random() < 0.5 ? join("sqlite", pick(["cairn.sqlite", "cairn.sqlite-wal"].filter((name) => files.includes(join("sqlite", name))))) : pick(files.toSorted());
	const path = join(folder, file);
	const { size } = await stat(path);
	const kind = size === 0 ? "missing" : pick(kinds);
	return { file, kind, words: await harmers[kind](path, size, random) };
}

/** One of a file or folder without its number or id, so that cases can be counted. */
export function groupOf(file: string): string {
	const [first = "", second = ""] = file.split("/");
	if (first !== "sqlite") return file;
	return ["blobs", "indexes", "words"].includes(second) ? second : second.replace("cairn.sqlite", "database");
}

const harmers: Readonly<Record<Harm["kind"], (path: string, size: number, random: () => number) => Promise<string>>> = {
	"bits flipped": async (path, size, random) => {
		const places: string[] = [];
		const file = await open(path, "r+");
		for (let i = 1 + Math.floor(random() * flipsMax); i > 0; i--) {
			const [at, bit] = [Math.floor(random() * size), Math.floor(random() * 8)];
			const byte = new Uint8Array(1);
			await file.read(byte, 0, 1, at);
			byte[0] = (byte[0] ?? 0) ^ (1 << bit);
			await file.write(byte, 0, 1, at);
			places.push(`${at}.${bit}`);
		}
		await file.close();
		return places.join(" ");
	},
	cut: async (path, size, random) => {
		const left = Math.floor(random() * size);
		await truncate(path, left);
		return `to ${left} of ${size} bytes`;
	},
	"pages zeroed": async (path, size, random) => {
		const places: number[] = [];
		const file = await open(path, "r+");
		for (let i = 1 + Math.floor(random() * zeroedMax); i > 0; i--) {
			const at = Math.floor((random() * size) / pageBytes) * pageBytes;
			await file.write(new Uint8Array(Math.min(pageBytes, size - at)), 0, Math.min(pageBytes, size - at), at);
			places.push(at);
		}
		await file.close();
		return places.join(" ");
	},
	missing: async (path) => {
		await rm(path);
		return "";
	},
};
