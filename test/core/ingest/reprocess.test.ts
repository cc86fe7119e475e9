/** What is read again is what the document says by then. */

import { expect, test } from "bun:test";
import { reprocess, revise } from "../../../core/ingest/revise.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleOrganisation } from "../../contract/samples.ts";
import { addDocument } from "../../contract/storage/ground.ts";
import { createTestWorld } from "../../doubles/world.ts";

const world = createTestWorld();
const text = (said: string) => ({ kind: "text", text: said, mediaType: "text/plain" }) as const;

async function bench() {
	const storage = ramStorage();
	const tenant = storage.organisation(sampleOrganisation);
	const document = await addDocument({ tenant, samples: createSamples(5) }, { content: text("The ferry leaves at six."), status: "done" });
	/** The rooms of a client who meets another one before its first change. */
	const before = (meanwhile: () => Promise<unknown>) => {
		let isFirst = true;
		const change: typeof tenant.documents.change = async (...given) => {
			if (isFirst) await meanwhile();
			isFirst = false;
			return tenant.documents.change(...given);
		};
		return { ...tenant, documents: { ...tenant.documents, change } };
	};
	return { storage, tenant, document, before };
}

test("content that another client sends meanwhile stays, and is what is answered", async () => {
	const { storage, tenant, document, before } = await bench();
	const raced = before(() => revise(document, { content: text("The ferry leaves at seven.") }, tenant, storage, world));
	const wanted = { revision: 2, status: "queued", content: { text: "The ferry leaves at seven." } };
	expect(await reprocess(document, raced, world)).toMatchObject(wanted);
	expect(await tenant.documents.get(document.id)).toMatchObject(wanted);
});

test("what changes beside the content meanwhile keeps nothing from being read", async () => {
	const { storage, tenant, document, before } = await bench();
	const raced = before(() => revise(document, { metadata: { pier: 2 } }, tenant, storage, world));
	expect(await reprocess(document, raced, world)).toMatchObject({ revision: 2, status: "queued", metadata: { pier: 2 } });
});

test("a document that is deleted meanwhile is missing", async () => {
	const { tenant, document, before } = await bench();
	const raced = before(() => tenant.documents.remove(document.id, world.now()));
	expect(await reprocess(document, raced, world).catch(({ code }) => code)).toBe("DOCUMENT_MISSING");
});
