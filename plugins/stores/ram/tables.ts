/** Opens a migrated database in memory. */

import { Database } from "bun:sqlite";
import { type Connection, connection } from "../sql/bun-connection.ts";
import { migrate, migrations } from "../sql/migrations.ts";

let image: Uint8Array | null = null;

export function openTables(): Connection {
	image ??= migratedImage();
	return connection(Database.deserialize(image));
}

/** The bytes of a migrated database. Copying them takes a twentieth of the time of a migration, and tests open hundreds of databases. */
function migratedImage(): Uint8Array {
	const database = connection(new Database(":memory:"));
	// Small pages, because each empty table takes one.
	database.script("PRAGMA page_size = 1024");
	migrate(database, migrations);
	const bytes = database.db.serialize();
	database.close();
	return bytes;
}
