/** The writer thread: what fails between the writes fails none of them. */

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { writerClient } from "../../../../plugins/stores/sqlite/writer/writer-client.ts";
import { startWriter } from "../../../../plugins/stores/sqlite/writer/writer-thread.ts";
import { discardChunks } from "../../../doubles/discarded-chunks.ts";
import { until } from "../../../doubles/until.ts";

test("discarded chunks that cannot be deleted are tried again after the next write, and every write succeeds", async () => {
	const folder = mkdtempSync(join(tmpdir(), "cairn-writer-"));
	const file = join(folder, "cairn.sqlite");
	const connection = openWriter(file);
	migrate(connection, migrations);
	discardChunks(connection, 600);
	connection.db.run("CREATE TRIGGER refusing BEFORE DELETE ON chunks BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END");
	const writer = startWriter({ file });
	const client = writerClient(writer.connect());
	writer.ended.then((why) => client.breakOff(why));
	// The chunks are tried after the first one is answered.
	for (let i = 0; i < 3; i++) await client.health.ping();
	expect(await writer.emptyLog()).toBe(false);
	connection.db.run("DROP TRIGGER refusing");
	await client.health.ping();
	await until(writer.emptyLog);
	expect(connection.db.query("SELECT (SELECT count(*) FROM chunks) + (SELECT count(*) FROM discarded_editions) AS left").get()).toEqual({ left: 0 });
	await client.drain();
	await writer.close();
	connection.close();
	rmSync(folder, { recursive: true });
});
