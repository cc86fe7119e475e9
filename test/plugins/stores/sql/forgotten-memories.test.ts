/** Forgotten memories whose undo period is over are erased a few at a time, because other writes wait meanwhile. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { createOperations } from "../../../../plugins/stores/sql/operations.ts";
import { packVectors } from "../../../../plugins/stores/sql/vectors.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { createSamples, sampleSpace } from "../../../contract/samples.ts";

const organisation = asId<OrganisationId>("org");
const now = new Date("2026-06-01");

/** Memories of a client that were forgotten together, with a record as `recordOf` makes it. */
function forgotten(count: number, recordOf: (ids: readonly string[]) => unknown) {
	const samples = createSamples(1);
	const connection = openWriter(":memory:");
	migrate(connection, migrations);
	const operations = createOperations(connection);
	const memories = Array.from({ length: count }, () => samples.makeMemory());
	const vectors = packVectors(memories.map(() => samples.makeVector()));
	operations.saveMemories.run({ organisation, space: sampleSpace.name, memories, vectors, edges: [] });
	const ids = memories.map(({ id }) => id);
	operations.forgetMemories.run({ organisation, ids, reason: null, now });
	const options = { expected: null, expiresAt: now, now };
	operations.putRecord.run({ organisation, kind: "removal", id: "batch", value: JSON.stringify(recordOf(ids)), options });
	const numberOf = (table: "memories" | "records") => connection.db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
	const sweep = () => operations.sweepForgotten.run({ now });
	return { sweep, left: () => [numberOf("memories"), numberOf("records")], close: () => connection.close() };
}

test("one write erases twenty of a batch, and the last one its record", () => {
	const { sweep, left, close } = forgotten(45, (ids) => ({ containerTag: "team", ids, at: now.getTime() }));
	const steps = Array.from({ length: 4 }, () => [sweep(), left()]);
	expect(steps).toEqual([
		[true, [25, 1]],
		[true, [5, 1]],
		[true, [0, 0]],
		[false, [0, 0]],
	]);
	close();
});

test("a record that does not say when erases nothing: its memories may have been restored and forgotten again", () => {
	const { sweep, left, close } = forgotten(2, (ids) => ({ containerTag: "team", ids }));
	expect([sweep(), left(), sweep()]).toEqual([true, [2, 0], false]);
	close();
});
