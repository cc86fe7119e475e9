/** All migrations in their order. A migration that has been released is never changed: add another. */

import type { Migration } from "./migrate.ts";
import init from "./migrations/0000_init.sql" with { type: "text" };
import words from "./migrations/0001_words.sql" with { type: "text" };

export const migrations: readonly Migration[] = [
	{ name: "0000_init", sql: init },
	{ name: "0001_words", sql: words },
];
