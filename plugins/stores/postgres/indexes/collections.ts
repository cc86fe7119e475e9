/** What both indexes have in common: their collections, how far each is, and which program feeds them. */

import { randomUUID } from "node:crypto";
import type { VectorIndex } from "cairn-memory";
import type { Binding } from "../../sql/executor.ts";
import type { PostgresConnection, Query } from "../connection.ts";

export interface CollectionRow {
	readonly organisation: string;
	readonly number: number;
	readonly dimensions: number;
}

export interface IndexOf<Collection> extends Pick<VectorIndex, "names" | "drop"> {
	readonly open: (name: string, dimensions: number, organisation: string) => Promise<Collection>;
	readonly claim: () => Promise<boolean>;
}

export type IndexKind = "vectors" | "words";

export interface DroppedCollection {
	/** The name of its graph of vectors. */
	readonly graph: string | null;
}

export interface IndexParts<Collection> {
	readonly connection: PostgresConnection;
	readonly kind: IndexKind;
	readonly collectionOf: (row: CollectionRow) => Collection;
	/** The tables with its entries. */
	readonly tables: readonly string[];
	/** Called after a collection was dropped. */
	readonly onDropped?: (dropped: DroppedCollection) => void;
}

/** Longer than a page takes. Another program goes on so long after one has ended without notice. */
export const claimSeconds = 30;

export interface Turn {
	/**
	 * Whether it is this one's turn, which it then is for `claimSeconds` more. Once no, and only then yes again, if another one has had it since:
	 * what this one knows is outdated then.
	 */
	readonly claim: () => Promise<boolean>;
	/** Whether nobody else has had it since. Nobody else can take it before the end of the transaction. */
	readonly isKept: (inside: Query) => Promise<boolean>;
	readonly end: () => Promise<void>;
}

/** For so long after a claim it is not asked again: less than the time after which whoever works for long renews it. */
const claimKeptMs = (claimSeconds * 1_000) / 4;

const takeSql = `INSERT INTO index_feeders AS f (kind, feeder, until) VALUES ($1, $2, now() + make_interval(secs => ${claimSeconds}))
	ON CONFLICT (kind) DO UPDATE SET feeder = excluded.feeder, until = excluded.until WHERE f.feeder = excluded.feeder OR f.until < now() RETURNING feeder`;
const renewSql = `UPDATE index_feeders SET until = now() + make_interval(secs => ${claimSeconds}) WHERE kind = $1 AND feeder = $2 RETURNING feeder`;

/** A turn at something that one in all programs does at a time. @param elapsedMs as `World.elapsedMs` */
export function turnAt(what: IndexKind | "graphs", query: Query, elapsedMs: () => number = () => performance.now()): Turn {
	const self = randomUUID();
	let keptUntil = Number.NEGATIVE_INFINITY;
	let hasIt = false;
	let hasAsked = false;
	return {
		claim: async () => {
			const askedAt = elapsedMs();
			if (askedAt < keptUntil) return true;
			hasAsked = true;
			hasIt = (await query(hasIt ? renewSql : takeSql, [what, self])).rows.length > 0;
			if (hasIt) keptUntil = askedAt + claimKeptMs;
			return hasIt;
		},
		isKept: async (inside) => {
			// Whoever has never had a turn, a command say, was not paused in one.
			if (!hasAsked) return true;
			const { rows } = await inside("SELECT feeder FROM index_feeders WHERE kind = $1 FOR SHARE", [what]);
			const [row] = rows as readonly { readonly feeder: string }[];
			return row?.feeder === self;
		},
		end: async () => {
			keptUntil = Number.NEGATIVE_INFINITY;
			hasIt = false;
			await query("DELETE FROM index_feeders WHERE kind = $1 AND feeder = $2", [what, self]);
		},
	};
}

export function sharedIndex<Collection>({ connection, kind, collectionOf, tables, onDropped }: IndexParts<Collection>): IndexOf<Collection> {
	const { query, transaction } = connection;
	const turn = turnAt(kind, query);
	/** The same object for the same number, so that core notices when another program has dropped a collection and made it anew. */
	const opened = new Map<number, Collection>();

	async function rowsOf(sql: string, params: readonly Binding[]): Promise<readonly CollectionRow[]> {
		return (await query(sql, params)).rows as readonly CollectionRow[];
	}

	return {
		open: async (name, dimensions, organisation) => {
			await query("INSERT INTO index_collections (organisation, kind, name, dimensions) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", [
				organisation,
				kind,
				name,
				dimensions,
			]);
			const sql = "SELECT organisation, number, dimensions FROM index_collections WHERE organisation = $1 AND kind = $2 AND name = $3";
			const [row] = await rowsOf(sql, [organisation, kind, name]);
			if (row === undefined) throw gone(kind);
			const collection = opened.get(row.number) ?? collectionOf(row);
			opened.set(row.number, collection);
			return collection;
		},
		names: async () => (await rowsOf("SELECT name FROM index_collections WHERE kind = $1", [kind])).map((row) => (row as unknown as { name: string }).name),
		drop: async (name) => {
			const dropped = await transaction("", async (inside) => {
				// One that was paused while another took over would drop what that one has made since.
				if (!(await turn.isKept(inside.query))) throw gone(kind);
				// A large one takes minutes. In one transaction, so that searches find all of it or nothing.
				await inside.query("SET LOCAL statement_timeout = 0", []);
				const sql = "DELETE FROM index_collections WHERE kind = $1 AND name = $2 RETURNING organisation, number, graph";
				const [row] = (await inside.query(sql, [kind, name])).rows as readonly (Pick<CollectionRow, "organisation" | "number"> & DroppedCollection)[];
				if (row === undefined) return null;
				for (const table of tables) await inside.query(`DELETE FROM ${table} WHERE organisation = $1 AND collection = $2`, [row.organisation, row.number]);
				return row;
			});
			if (dropped === null) return;
			opened.delete(dropped.number);
			onDropped?.(dropped);
		},
		claim: turn.claim,
	};
}

/** How far the collection is. Rejects if it was dropped elsewhere. */
export async function positionOf(query: Query, kind: IndexKind, { organisation, number }: CollectionRow): Promise<string | null> {
	const sql = "SELECT position FROM index_collections WHERE organisation = $1 AND kind = $2 AND number = $3";
	const [row] = (await query(sql, [organisation, kind, number])).rows as readonly { readonly position: string | null }[];
	if (row === undefined) throw gone(kind);
	return row.position;
}

export interface Move {
	readonly from: string | null;
	readonly to: string;
}

/**
 * Moves the position and locks the collection until the end of the transaction. Only from where this program has left it: one that was
 * paused while another took over would put outdated tags.
 */
export async function move(query: Query, kind: IndexKind, { organisation, number }: CollectionRow, { from, to }: Move): Promise<void> {
	const sql = `UPDATE index_collections SET position = $4 WHERE organisation = $1 AND kind = $2 AND number = $3 AND position IS NOT DISTINCT FROM $5`;
	if ((await query(sql, [organisation, kind, number, to, from])).changes === 0) throw gone(kind);
}

export function gone(kind: IndexKind): Error {
	return new Error(`the collection of ${kind} was dropped or fed by another program`);
}

/** A text in the words of a statement that is asked only once. */
export function quoted(text: string): string {
	return `'${text.replaceAll("'", "''")}'`;
}
