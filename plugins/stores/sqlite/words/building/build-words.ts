/**
 * The program that builds one word file in a separate process, because splitting twenty thousand texts into words takes a second. It
 * begins with the file in use, reads newer texts from the tables, writes a new file beside it, and prints what the file has as JSON. The
 * server then makes it the index, or removes it.
 */

import { renameSync } from "node:fs";
import type { Connection } from "../../../sql/bun-connection.ts";
import { openReader } from "../../connection.ts";
import { exitIfOrphaned, runTask } from "../../index-files/build-process.ts";
import { syncPath } from "../../index-files/index-files.ts";
import { FreshTexts } from "../fresh/fresh-texts.ts";
import { storedFault } from "../stored/stored-fault.ts";
import { StoredTexts } from "../stored/stored-texts.ts";
import { loadWords, wordChecksum, wordPaths } from "../stored/word-folder.ts";
import type { BuiltWords } from "../stored/word-manifest.ts";
import { changesAfter, newestChange, pageTexts, textsAfter, textsOf } from "../text-tables.ts";
import type { WordAddress } from "../word-address.ts";
import type { OlderTexts } from "./older-texts.ts";
import type { WordBuildTask } from "./word-builder.ts";
import { type WrittenTexts, writeStored } from "./write-stored.ts";

/** Postings that are collected in memory, 10 bytes each, before they are written to a file. Further ones are written in the next round. */
const postingsPerRound = 16_000_000;

if (import.meta.main) await runTask(build);

async function build(task: WordBuildTask): Promise<BuiltWords> {
	const { address, generation, folder } = task;
	const path = `${wordPaths(folder, address, generation).data}.tmp`;
	const db = openReader(task.file);
	try {
		// Whoever uses the file reads the changes after this one from the tables.
		const lastChange = newestChange(db);
		const written = writeRounds(task, db, path, await olderTexts(task, db));
		await syncPath(path);
		const checksum = await wordChecksum(path, written, address, generation);
		if (checksum === null) throw new Error("a file is shorter than what was written to it");
		return { ...written, lastChange, checksum };
	} finally {
		db.close();
	}
}

/** The file in use; null if it cannot be used, or if a restored text belongs before its end. */
async function olderTexts({ folder, address }: WordBuildTask, db: Connection): Promise<OlderTexts | null> {
	const loaded = await loadWords(folder, address);
	if (loaded === null || "reason" in loaded || storedFault(loaded, db, address) !== null) return null;
	const { texts, manifest } = loaded;
	const dead = new Set<number>();
	let last = manifest.lastChange;
	for (let page = changesAfter(db, address, last); page.length > 0; page = changesAfter(db, address, last)) {
		last = page.at(-1)?.sequence ?? last;
		if (!markDeadTexts(page, texts, dead, db, address)) return null;
	}
	return { texts, dead };
}

/** Marks deleted texts of the file. @returns whether all existing texts are in the file or come after it. */
function markDeadTexts(page: ReturnType<typeof changesAfter>, texts: StoredTexts, dead: Set<number>, db: Connection, address: WordAddress): boolean {
	const keys = page.map(({ key }) => key).filter((key) => key <= texts.lastKey);
	const living = new Set(textsOf(db, address, keys).map(({ key }) => key));
	for (const key of keys) {
		const documentNumber = texts.documentNumberOf(key);
		if (documentNumber < 0 && living.has(key)) return false;
		if (documentNumber >= 0 && living.has(key)) dead.delete(documentNumber);
		else if (documentNumber >= 0) dead.add(documentNumber);
	}
	return true;
}

/** Each round writes a whole file: the texts of the last round's file and the new ones. It replaces that file. */
function writeRounds(task: WordBuildTask, db: Connection, path: string, first: OlderTexts | null): WrittenTexts {
	let older = first;
	let last = older === null ? 0 : older.texts.lastKey;
	for (;;) {
		const fresh = new FreshTexts();
		let isDone = false;
		while (!isDone && fresh.postingCount < postingsPerRound) {
			exitIfOrphaned(task.parent);
			const page = textsAfter(db, task.address, last);
			for (const { key, text } of page) fresh.add(key, text);
			last = page.at(-1)?.key ?? last;
			isDone = page.length < pageTexts;
		}
		const draft = `${path}.tmp`;
		const written = writeStored(draft, older, fresh);
		// The old file stays readable where it is mapped.
		renameSync(draft, path);
		if (isDone) return written;
		older = { texts: new StoredTexts(Bun.mmap(path, { shared: false }), written), dead: new Set() };
	}
}
