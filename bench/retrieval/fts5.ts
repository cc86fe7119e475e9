/** What SQLite offers by itself: FTS5 with its Porter tokenizer and its `bm25()`, the words of the question joined by OR. */

import { Database } from "bun:sqlite";
import { byGroup, type Collection, wholeText } from "../../server/evaluation/collection.ts";
import type { Rank } from "./bm25.ts";

const shown = 100;

/** One table for each group: the function counts over its whole table. */
export function fts5({ documents }: Collection): Rank & Disposable {
	const db = new Database(":memory:");
	const tables = new Map([...byGroup(documents)].map(([group, attachments], i) => [group, fillTable(db, `texts_${i}`, attachments.map(wholeText))]));
	const ids = new Map([...byGroup(documents)].map(([group, attachments]) => [group, attachments.map(({ id }) => id)]));
	const rank: Rank = ({ text, group }) => {
		const words = [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => `"${word}"`);
		const rows = words.length === 0 ? [] : (tables.get(group ?? "")?.(words.join(" OR ")) ?? []);
		return rows.map((row) => ids.get(group ?? "")?.[row - 1] ?? "");
	};
	return Object.assign(rank, { [Symbol.dispose]: () => db.close() });
}

function fillTable(db: Database, name: string, texts: readonly string[]): (match: string) => readonly number[] {
	db.run(`CREATE VIRTUAL TABLE ${name} USING fts5(text, content = '', tokenize = 'porter unicode61')`);
	const insert = db.prepare(`INSERT INTO ${name} (rowid, text) VALUES (?, ?)`);
	db.transaction(() => {
		for (const [i, text] of texts.entries()) insert.run(i + 1, text);
	})();
	insert.finalize();
	const select = db.prepare<{ readonly rowid: number }, [string, number]>(`SELECT rowid FROM ${name} WHERE ${name} MATCH ? ORDER BY bm25(${name}) LIMIT ?`);
	return (match) => select.all(match, shown).map(({ rowid }) => rowid);
}
