/** A vector index over sqlite-vec, an extension of SQLite: one file for each collection, in the folder of the plugin. */

import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { definePlugin, type VectorCollection, type VectorIndex } from "cairn-memory";
import { z } from "zod";
import { sqliteVecCollection } from "./collection.ts";

export default definePlugin({
	name: "cairn-plugin-index-sqlite-vec",
	contract: 1,
	options: z.strictObject({}),
	needs: { "sqlite-vec": "0.1.9" },
	start: async (_options, { folder }) => {
		const { getLoadablePath } = await import("sqlite-vec");
		const { index, close } = sqliteVecIndex(folder, getLoadablePath());
		return { vectorIndex: [index], stop: close };
	},
});

const ending = ".db";

interface Opened {
	readonly db: Database;
	readonly collection: VectorCollection;
}

function sqliteVecIndex(folder: string, extension: string): { readonly index: VectorIndex; readonly close: () => Promise<void> } {
	const opened = new Map<string, Opened>();
	const fileOf = (name: string) => join(folder, `${name}${ending}`);

	function openFile(name: string, dimensions: number): Opened {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const db = new Database(fileOf(name), { create: true, readwrite: true });
		db.loadExtension(extension);
		return { db, collection: sqliteVecCollection(db, dimensions) };
	}

	function closeFile(name: string): void {
		opened.get(name)?.db.close();
		opened.delete(name);
	}

	const index: VectorIndex = {
		name: "sqlite-vec",
		filters: "payload",
		open: async (name, dimensions) => {
			const known = opened.get(name) ?? openFile(name, dimensions);
			opened.set(name, known);
			return known.collection;
		},
		names: async () => (existsSync(folder) ? readdirSync(folder).flatMap((file) => (file.endsWith(ending) ? [file.slice(0, -ending.length)] : [])) : []),
		drop: async (name) => {
			closeFile(name);
			for (const companion of ["", "-wal", "-shm"]) rmSync(`${fileOf(name)}${companion}`, { force: true });
		},
	};
	return {
		index,
		close: async () => {
			for (const name of [...opened.keys()]) closeFile(name);
		},
	};
}

/** Whether SQLite lets extensions in on this machine: that of macOS does not. */
export async function mayLoad(): Promise<boolean> {
	try {
		const { getLoadablePath } = await import("sqlite-vec");
		const db = new Database(":memory:");
		db.loadExtension(getLoadablePath());
		db.close();
		return true;
	} catch {
		return false;
	}
}
