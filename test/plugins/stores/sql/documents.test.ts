/** Documents in SQLite: what is asked of few goes along an index, however many there are. */

import type { SQLQueryBindings } from "bun:sqlite";
import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import type { DocumentId, DocumentStore, KeyId } from "cairn-memory/stores";
import { documentStore } from "../../../../plugins/stores/sql/documents/documents.ts";
import { type Executor, readsOf, type SqlEngine } from "../../../../plugins/stores/sql/executor.ts";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { explained } from "./explained.ts";

/** How SQLite goes about what a call would ask of the documents. */
async function planOf(ask: (store: DocumentStore) => Promise<unknown>): Promise<readonly string[]> {
	const connection = openWriter(":memory:");
	migrate(connection, migrations);
	const steps: string[] = [];
	const statement = (sql: string) => ({
		all: (...params: SQLQueryBindings[]) => {
			steps.push(...explained(connection, sql, params));
			return [];
		},
	});
	await ask(documentStore(asId<OrganisationId>("org"), readsOf({ statement } as unknown as Executor) as unknown as SqlEngine));
	return steps.filter((step) => /\bd\b/.test(step.split(" USING")[0] ?? ""));
}

test("what is inside of a document is counted without a look at the others", async () => {
	const steps = await planOf((store) => store.descendants({ id: asId<DocumentId>("a"), customId: null }));
	expect(steps.map((step) => step.replace(/ INDEX \w+/, ""))).toEqual([
		"SEARCH d USING COVERING (organisation=? AND custom_id>? AND custom_id<?)",
		"SEARCH d USING (organisation=? AND id=?)",
	]);
});

test("what a key has written is found without a look at what others have", async () => {
	const steps = await planOf((store) => store.byWriter(asId<KeyId>("key"), null, 10));
	expect(steps.map((step) => step.replace(/ INDEX \w+/, ""))).toEqual(["SEARCH d USING (organisation=? AND written_by=? AND id>?)"]);
});

test("a customId is found in a container without a look at the others that know it", async () => {
	const steps = await planOf((store) => store.byCustomId("profile", ["alice"], 10));
	expect(steps.map((step) => step.replace(/ INDEX \w+/, ""))).toEqual(["SEARCH d USING (organisation=? AND custom_id=? AND id=?)"]);
});
