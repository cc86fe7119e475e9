/** What an upgrade makes of the rows that an earlier version has written. */

import { afterAll, expect, test } from "bun:test";
import type { PostgresConnection } from "../../../../plugins/stores/postgres/connection.ts";
import { termNumbers } from "../../../../plugins/stores/postgres/indexes/word-terms.ts";
import { postgresWordIndex } from "../../../../plugins/stores/postgres/indexes/words.ts";
import { history, migrate } from "../../../../plugins/stores/postgres/migrations.ts";
import { emptyPglite } from "./pglite.ts";

/** A database begins in this process, which takes long on a busy machine. */
const patienceMs = 300_000;

const opened: PostgresConnection[] = [];
afterAll(async () => {
	for (const { close } of opened) await close();
});

test(
	"texts that were indexed before counts had their terms beside them are still ranked by how often they have a word",
	async () => {
		const connection = await emptyPglite();
		opened.push(connection);
		const before = history.migrations.findIndex(({ name }) => name === "0006_counted_terms");
		await migrate(connection, undefined, { ...history, migrations: history.migrations.slice(0, before) });
		const { of } = termNumbers(1);
		await connection.script(`INSERT INTO index_collections (organisation, kind, name, number, dimensions, position, entries, words) VALUES ('one', 'words', 'chunks', 1, 0, '1', 3, 30);
		INSERT INTO word_terms (organisation, collection, term, holders) VALUES ('one', 1, ${of("rare")}, 3), ('one', 1, ${of("other")}, 3)`);
		for (const [id, counts] of Object.entries({ often: "0109", once: "0301", twice: "0202" })) {
			await connection.script(`INSERT INTO word_entries (organisation, collection, id, terms, counts, grams, spelled, word_length, gram_length)
			VALUES ('one', 1, '${id}', '{${of("other")},${of("rare")}}', '\\x${counts}', '{}', '{}', 10, 0)`);
		}
		await migrate(connection);
		const index = await postgresWordIndex(connection).open("chunks", 0, "one");
		const everywhere = { containerTags: [], tagsMatch: "all", allowedIds: null } as const;
		expect(await index.match([{ terms: ["rare"], weight: 1 }], 3, everywhere)).toEqual(["often", "twice", "once"]);
		expect(await index.match([{ terms: ["other"], weight: 1 }], 3, everywhere)).toEqual(["once", "twice", "often"]);
	},
	patienceMs,
);
