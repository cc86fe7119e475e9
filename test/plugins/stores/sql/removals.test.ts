/** Removing in SQLite: however much an organisation has, only what belongs to the document is looked at. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import type { Document, DocumentId, NewJob, RemovalId } from "cairn-memory/stores";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { createOperations } from "../../../../plugins/stores/sql/operations.ts";
import { createSamples } from "../../../contract/samples.ts";
import { explainedConnection } from "./explained.ts";

const organisation = asId<OrganisationId>("org");
const samples = createSamples(1);
const now = new Date("2024-05-01");

/** A document with an attachment, and a chain of three memories of which the middle one is extracted from that attachment. */
function fill({ connection, documents }: { readonly connection: Connection; readonly documents: ReturnType<typeof createOperations> }): Document {
	const add = (overrides: Partial<Document>): Document => {
		const document = { ...samples.makeDocument(overrides), organisation };
		expect(documents.addDocument.run({ document, job: { ...samples.makeJob(document), organisation } })).toBe(true);
		return document;
	};
	const run = (sql: string, ...values: readonly (string | number)[]) => connection.db.query(sql).run(organisation, ...values);
	const outer = add({ customId: null });
	const member = add({ customId: `member/${outer.id}/${outer.id}/note.txt`, containerTags: outer.containerTags });
	const chunk = "INSERT INTO chunks (organisation, id, document, revision, edition, position, text, place) VALUES (?, 'c', ?, 1, 1, 0, 'words', '{}')";
	run(chunk, member.id);
	run("INSERT INTO chunk_vectors (organisation, space, chunk, vector) VALUES (?, 's', 'c', 'v')");
	for (const [i, source] of ["elsewhere", member.id, "elsewhere"].entries()) {
		const memory = `INSERT INTO memories (organisation, id, container_tag, text, is_static, is_inference, confidence, version, is_latest, is_forgotten,
			metadata, created_at, updated_at, parent, root) VALUES (?, ?, 't', 'x', 0, 0, 1, ?, ?, 0, '{}', 1, 1, nullif(?, 'm-1'), nullif(?, 'm-1'))`;
		run(memory, `m${i}`, i + 1, i === 2 ? 1 : 0, `m${i - 1}`, i === 0 ? "m-1" : "m0");
		const evidence = "INSERT INTO memory_evidence (organisation, memory, ordinal, document, chunk, span_begin, span_end) VALUES (?, ?, 0, ?, 'c', 0, 1)";
		run(evidence, `m${i}`, source);
		if (i > 0) run("INSERT INTO memory_edges (organisation, source, target, relation, created_at) VALUES (?, ?, ?, 'updates', 1)", `m${i}`, `m${i - 1}`);
	}
	return outer;
}

test.each(["remove", "set aside"] as const)("to %s a document of many leads along an index to its own rows", (way) => {
	const { connection, steps } = explainedConnection();
	const documents = createOperations(connection);
	const { id } = fill({ connection, documents });
	steps.length = 0;
	if (way === "remove") expect(documents.removeDocument.run({ organisation, id, now })).toEqual([]);
	else expect(createOperations(connection).setAside.run({ organisation, id, removal: asId<RemovalId>("r"), expiresAt: now, now })).toBe(true);
	const left = connection.db.query<{ id: string; parent: string | null }, []>("SELECT id, parent FROM memories ORDER BY id").all();
	expect(left).toEqual([
		{ id: "m0", parent: null },
		{ id: "m2", parent: "m0" },
	]);
	expect(wholeTables(steps)).toEqual([]);
	expect(new Set(steps).size).toBeGreaterThan(20);
	connection.close();
});

test.each(["brought back", "swept away"] as const)("what was set aside is %s along an index as well", (way) => {
	const { connection, steps } = explainedConnection();
	const outer = fill({ connection, documents: createOperations(connection) });
	const removals = createOperations(connection);
	const key = { organisation, removal: asId<RemovalId>("r") };
	removals.setAside.run({ ...key, id: outer.id, expiresAt: new Date(now.getTime() + 1_000), now });
	const removed = connection.db.query<{ document: DocumentId }, [string]>("SELECT document FROM removed_documents ORDER BY document <> ?").all(outer.id);
	steps.length = 0;
	if (way === "swept away") expect(removals.sweepRemovals.run({ now: new Date(now.getTime() + 2_000), limit: 9 })).toEqual({ removed: 2, blobs: [] });
	else for (const { document } of removed) expect(removals.bringBack.run({ ...key, id: document, job: jobFor(document), now })).toMatchObject({ id: document });
	expect(wholeTables(steps)).toEqual([]);
	expect(new Set(steps).size).toBeGreaterThan(5);
	connection.close();
});

/** Steps that look at all rows of a table, or at all that the organisation has there. */
function wholeTables(steps: Iterable<string>): readonly string[] {
	return [...steps].filter(
		(step) => /^SEARCH .*\(organisation=\?\)$/.test(step) || /^SCAN (?!json_each|j VIRTUAL|g$|going$|\(?subquery|CONSTANT ROW)/.test(step),
	);
}

function jobFor(id: DocumentId): NewJob {
	return { ...samples.makeJob({ ...samples.makeDocument(), id }), organisation };
}
