/** Saving memories in SQLite: what they have in common is looked up once, however many there are. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { createOperations } from "../../../../plugins/stores/sql/operations.ts";
import { packVectors } from "../../../../plugins/stores/sql/vectors.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { createSamples, edgeBetween, evidenceIn, sampleSpace } from "../../../contract/samples.ts";

const organisation = asId<OrganisationId>("org");

/** How often statements are asked to save this many memories of one document, each of which extends a known one. */
function statementsToSave(count: number): { readonly reads: number; readonly writes: number } {
	const samples = createSamples(1);
	const connection = openWriter(":memory:");
	migrate(connection, migrations);
	const asked: string[] = [];
	const statement: Connection["statement"] = (sql) => {
		asked.push(sql);
		return connection.statement(sql);
	};
	const { addDocument, saveMemories } = createOperations({ statement });
	const document = { ...samples.makeDocument(), organisation };
	addDocument.run({ document, job: { ...samples.makeJob(document), organisation } });
	const chunk = samples.makeChunk(document);
	const [containerTag = ""] = document.containerTags;
	const make = () => samples.makeMemory({ containerTag, extractor: "statements", evidence: [evidenceIn(chunk)] });
	const save = (memories: readonly ReturnType<typeof make>[], edges: readonly ReturnType<typeof edgeBetween>[]) =>
		saveMemories.run({ organisation, space: sampleSpace.name, memories, vectors: packVectors(memories.map(() => samples.makeVector())), edges });
	const known = Array.from({ length: count }, make);
	expect(save(known, [])).toBe(true);
	const fresh = Array.from({ length: count }, make);
	asked.length = 0;
	const edges = fresh.map((memory, i) => edgeBetween(memory, "extends", known[i] ?? memory));
	expect(save(fresh, edges)).toBe(true);
	expect(connection.db.query("SELECT count(*) AS edges FROM memory_edges").get()).toEqual({ edges: count });
	connection.close();
	const reads = asked.filter((sql) => sql.trimStart().startsWith("SELECT")).length;
	return { reads, writes: asked.length - reads };
}

test("twenty memories are saved with as many reads as two, and four writes each", () => {
	const [few, many] = [statementsToSave(2), statementsToSave(20)];
	expect(many.reads).toBe(few.reads);
	expect(many.writes - few.writes).toBe(18 * 4);
});
