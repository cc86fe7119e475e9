/** What is in another container is not read for a key that may not see it: reading takes the longer the larger it is, which would tell of it. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import { authorize } from "../../../core/access/authorize.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleSpace } from "../../contract/samples.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");

test("of a foreign document only its tags are read", async () => {
	const storage = ramStorage();
	const tenant = storage.organisation(organisation);
	const samples = createSamples(1);
	const [own, foreign] = ["in", "out"].map((tag) => samples.makeDocument({ organisation, containerTags: [tag] }));
	if (own === undefined || foreign === undefined) throw new Error("no samples");
	for (const document of [own, foreign]) await tenant.documents.add(document, samples.makeJob(document));
	const read: string[] = [];
	const documents: typeof tenant.documents = {
		...tenant.documents,
		get: (id) => {
			read.push(id);
			return tenant.documents.get(id);
		},
		getMany: (ids, includeContent) => {
			read.push(...ids);
			return tenant.documents.getMany(ids, includeContent);
		},
	};
	const watched = { ...storage, organisation: () => ({ ...tenant, documents }) };
	const scoped = authorize(watched, { organisation, role: "write", grants: [{ containerTag: "in", permission: "write" }] }).documents;
	expect([await scoped.get(own.id), await scoped.get(foreign.id)].map((found) => found?.id)).toEqual([own.id, undefined]);
	expect((await scoped.getMany([foreign.id, own.id])).map(({ id }) => id)).toEqual([own.id]);
	expect(read).toEqual([own.id, own.id]);
});

test("of a foreign memory only its container is read", async () => {
	const storage = ramStorage();
	const tenant = storage.organisation(organisation);
	const samples = createSamples(2);
	const [own, foreign] = ["in", "out"].map((containerTag) => samples.makeMemory({ containerTag }));
	if (own === undefined || foreign === undefined) throw new Error("no samples");
	for (const memory of [own, foreign]) await tenant.memories.save(sampleSpace, [{ memory, vector: samples.makeVector() }], []);
	const read: string[] = [];
	const memories: typeof tenant.memories = {
		...tenant.memories,
		get: (ids) => {
			read.push(...ids);
			return tenant.memories.get(ids);
		},
		subjects: (ids) => {
			read.push(...ids);
			return tenant.memories.subjects(ids);
		},
	};
	const watched = { ...storage, organisation: () => ({ ...tenant, memories }) };
	const scoped = authorize(watched, { organisation, role: "write", grants: [{ containerTag: "in", permission: "write" }] }).memories;
	const both = [own.id, foreign.id];
	expect((await scoped.get(both)).map(({ id }) => id)).toEqual([own.id]);
	expect([...(await scoped.subjects(both)).keys()]).toEqual([own.id]);
	expect([...(await scoped.within(both, ["in", "out"])).keys()]).toEqual([own.id]);
	expect(await scoped.forget(both, null, new Date(0))).toBe(1);
	expect(read).not.toContain(foreign.id);
});
