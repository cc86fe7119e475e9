/** Memories that a client writes itself, and the job of their source document. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import { createMemories } from "../../../core/memories/create.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createStep } from "../../doubles/step.ts";
import { createTestWorld } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");
const written = { isStatic: false, metadata: {}, forgetAfter: null, forgetReason: null };

test("the job of the source document is not due while the request still writes it", async () => {
	const world = createTestWorld();
	const { storage, embedder } = createTestParts(world);
	const tenant = storage.organisation(organisation);
	const claim = () => storage.jobs.claim("w", ["ingest"], 10, world.steadyNow(), 1_000);
	const claimedMeanwhile: unknown[] = [];
	const publish: typeof tenant.documents.publish = async (...given) => {
		claimedMeanwhile.push(...(await claim()));
		return tenant.documents.publish(...given);
	};
	const watched = { ...tenant, documents: { ...tenant.documents, publish } };
	const texts = ["Ana is tall", "Ben is small"].map((text) => ({ ...written, text }));
	const { document, memories } = await createMemories("home", texts, organisation, { tenant: watched, embedder, world }, createStep());
	expect(claimedMeanwhile).toEqual([]);
	expect((await tenant.documents.chunksOf(document)).map(({ id }) => id)).toEqual(memories.flatMap(({ evidence }) => evidence.map(({ chunk }) => chunk)));
	world.advance(60_000);
	expect((await claim()).map(({ subject }) => subject)).toEqual([document]);
});
