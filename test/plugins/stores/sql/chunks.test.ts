/** Chunks of a document whose id was used before: of what is deleted a little at a time, nothing is seen again, and nothing new goes with it. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import type { Document } from "cairn-memory/stores";
import { sweepDiscarded } from "../../../../plugins/stores/sql/documents/discarded.ts";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { createOperations } from "../../../../plugins/stores/sql/operations.ts";
import { packVectors } from "../../../../plugins/stores/sql/vectors.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { createSamples } from "../../../contract/samples.ts";

const organisation = asId<OrganisationId>("org");
const now = new Date("2024-05-01");
/** More than one sweep deletes. */
const many = 1_200;

function open() {
	const connection = openWriter(":memory:");
	migrate(connection, migrations);
	return { connection, operations: createOperations(connection) };
}
type Opened = ReturnType<typeof open>;

function add({ operations }: Opened, document: Document): void {
	const job = { ...createSamples(1).makeJob(document), organisation };
	expect(operations.addDocument.run({ document: { ...document, organisation }, job })).toBe(true);
}

function publish({ operations }: Opened, { id, revision }: Document, ids: readonly string[]): void {
	const chunks = ids.map((chunk, position) => ({ id: chunk, position, text: `text ${chunk}`, indexedText: null, place: "{}" }));
	const vectors = packVectors(ids.map(() => new Float32Array([1, 0])));
	const space = "static-en/1" as never;
	if (ids.length > 0) expect(operations.stageChunks.run({ organisation, id, revision, space, chunks, vectors })).toBe(true);
	expect(operations.publishRevision.run({ organisation, id, revision, now })).toBe(true);
}

const seen = ({ connection }: Opened) =>
	connection.db
		.query<{ id: string }, []>("SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document AND d.published_edition = c.edition ORDER BY c.position")
		.all()
		.map(({ id }) => id);

test.each([[["new-1", "new-2"]], [[]]])("a document that comes back with its id has its new chunks alone: %p", (chunks) => {
	const opened = open();
	const document = createSamples(2).makeDocument({ customId: null });
	add(opened, document);
	publish(
		opened,
		document,
		Array.from({ length: many }, (_, i) => `old-${i}`),
	);
	opened.operations.removeDocument.run({ organisation, id: document.id, now });
	add(opened, document);
	publish(opened, document, chunks);
	expect(seen(opened)).toEqual(chunks);
	while (sweepDiscarded(opened.connection));
	expect(seen(opened)).toEqual(chunks);
	expect(opened.connection.db.query<{ n: number }, []>("SELECT count(*) AS n FROM chunks").get()?.n).toBe(chunks.length);
});
