/**
 * What commits since the last look have changed of an organisation's chunks, from the logs that triggers write. While documents are added,
 * there is a commit before nearly every search, and nothing of what is known of other documents has changed.
 */

import type { OrganisationId } from "cairn-memory";
import type { Connection } from "../sql/bun-connection.ts";

type StatementRunner = Pick<Connection, "statement">;

export interface ChunkChanges {
	/** Documents of which another edition is published, or none. Other scopes may have them too. */
	readonly documents: readonly string[];
	/** Whether any chunk was deleted. */
	readonly hasDeleted: boolean;
}

/** Newest entries of both logs, of any organisation. */
interface Newest {
	readonly scopes: number;
	readonly texts: number;
}

/** With more changes it is cheaper to ask again what is needed. */
const documentsMax = 1_000;

export class ChunkChangeLog {
	readonly #organisation: OrganisationId;
	#seen: Newest | null = null;

	constructor(organisation: OrganisationId) {
		this.#organisation = organisation;
	}

	/** @returns null if anything may have changed: at the first look, after many changes, and if the logs no longer have all. */
	next(db: StatementRunner): ChunkChanges | null {
		const before = this.#seen;
		const newest = newestOf(db);
		this.#seen = newest;
		if (before === null) return null;
		const documents = newest.scopes === before.scopes ? [] : this.#documentsAfter(db, before.scopes);
		const hasDeleted = newest.texts !== before.texts && this.#hasDeletedAfter(db, before.texts);
		// Looked at last: what the logs still have now, they had before.
		const isKept = newest.scopes === before.scopes || before.scopes + 1 >= oldestScopeChange(db);
		return isKept && documents.length <= documentsMax ? { documents, hasDeleted } : null;
	}

	#documentsAfter({ statement }: StatementRunner, after: number): readonly string[] {
		const sql = "SELECT document FROM scope_changes INDEXED BY scope_changes_in_order WHERE organisation = ? AND sequence > ? LIMIT ?";
		return statement<unknown>(sql)
			.values(this.#organisation, after, documentsMax + 1)
			.map(([document]) => String(document));
	}

	/** If the log no longer has all, something was deleted. */
	#hasDeletedAfter({ statement }: StatementRunner, after: number): boolean {
		const sql = `SELECT EXISTS (SELECT 1 FROM text_changes WHERE organisation = ? AND kind = 'chunk' AND sequence > ?)
			OR coalesce((SELECT min(sequence) > ? FROM text_changes), 1) AS found`;
		return statement<{ found: number }>(sql).get(this.#organisation, after, after + 1)?.found !== 0;
	}
}

function newestOf({ statement }: StatementRunner): Newest {
	const numbers = new Map(
		statement<{ name: string; seq: number }>("SELECT name, seq FROM sqlite_sequence WHERE name IN ('scope_changes', 'text_changes')")
			.all()
			.map(({ name, seq }) => [name, seq]),
	);
	return { scopes: numbers.get("scope_changes") ?? 0, texts: numbers.get("text_changes") ?? 0 };
}

function oldestScopeChange({ statement }: StatementRunner): number {
	return statement<{ oldest: number | null }>("SELECT min(sequence) AS oldest FROM scope_changes").get()?.oldest ?? Number.POSITIVE_INFINITY;
}
