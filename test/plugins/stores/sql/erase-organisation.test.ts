/** Erasing an organisation leaves out no table, and stops wherever it is told to without losing its place. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { eraseRemovedOrganisations, hasRows, tablesOfAnOrganisation } from "../../../../plugins/stores/sql/erase-organisation.ts";
import { contextOf, runHere } from "../../../../plugins/stores/sql/executor.ts";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { createOperations } from "../../../../plugins/stores/sql/operations.ts";
import * as schema from "../../../../plugins/stores/sql/schema.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";

test("every table that names an organisation is erased, but for its usage, which goes with the organisation", () => {
	const tables = Object.values(schema)
		.filter((value) => is(value, SQLiteTable))
		.filter((table) => "organisation" in getTableColumns(table))
		.map(getTableName);
	expect([...Object.keys(tablesOfAnOrganisation), "organisation_usage"].toSorted()).toEqual(tables.toSorted());
});

test("an erasure that is broken off after any number of writes goes on where it was, and touches no other organisation", async () => {
	const [removed, kept] = ["removed", "kept"].map((id) => asId<OrganisationId>(id)) as [OrganisationId, OrganisationId];
	const rows = 450;
	for (const writesMax of [0, 1, 3, 20]) {
		const connection = openWriter(":memory:");
		migrate(connection, migrations);
		const operations = createOperations(connection);
		for (const organisation of [removed, kept]) {
			connection.statement("INSERT INTO organisations (id, name, slug, created_at) VALUES (?1, ?1, ?1, 0)").run(organisation);
			for (let i = 0; i < rows; i++)
				connection.statement("INSERT INTO records (organisation, kind, id, value, version) VALUES (?, 'settings', ?, '{}', 1)").run(organisation, String(i));
			connection.statement("INSERT INTO jobs (organisation, id, task, subject, not_before) VALUES (?, '1', 'ingest', '1', 0)").run(organisation);
		}
		expect(operations.removeOrganisation.run({ organisation: removed, now: new Date() })).toBe(true);
		const broken = new AbortController();
		let writes = 0;
		const write = async (name: keyof typeof operations, args: unknown) => {
			if (++writes > writesMax) broken.abort();
			return operations[name].run(args as never) as never;
		};
		await eraseRemovedOrganisations({ write: write as never }, broken.signal);
		if (writesMax < 5) expect(operations.endRemoval.run({ organisation: removed })).toBe(false);
		await eraseRemovedOrganisations({ write: write as never }, new AbortController().signal);
		const isLeft = (organisation: OrganisationId) => runHere(hasRows(organisation, contextOf(connection)));
		expect([isLeft(removed), isLeft(kept)]).toEqual([false, true]);
		expect([operations.endRemoval.run({ organisation: removed }), operations.endRemoval.run({ organisation: kept })]).toEqual([true, false]);
		expect(connection.statement<{ n: number }>("SELECT count(*) AS n FROM records").get()?.n).toBe(rows);
		connection.close();
	}
});
