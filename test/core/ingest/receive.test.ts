/** What is handed in is a document and a job; under a known name it changes that document, and only news is read again. */

import { beforeEach, expect, test } from "bun:test";
import { asId } from "cairn-memory";
import type { KeyId, Storage } from "cairn-memory/stores";
import { type AddRequest, receive } from "../../../core/ingest/receive.ts";
import { defaultContainerTag } from "../../../core/model/container.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { sampleOrganisation } from "../../contract/samples.ts";
import { createTestWorld } from "../../doubles/world.ts";

const world = createTestWorld();
let storage: Storage;
beforeEach(() => {
	storage = ramStorage();
});

const text = (said: string) => ({ kind: "text", text: said, mediaType: "text/plain" }) as const;
const request: AddRequest = {
	content: text("The ferry leaves at six."),
	customId: null,
	containerTags: [],
	metadata: {},
	filepath: null,
	taskType: "memory",
	dreaming: "instant",
};
const tenant = () => storage.organisation(sampleOrganisation);
const add = (more: Partial<AddRequest> = {}, into = tenant()) => receive({ ...request, ...more }, sampleOrganisation, into, world);
const jobs = async () => (await storage.jobs.depth()).waiting;

test("a new document is queued in the default container, with one job", async () => {
	const document = await add();
	expect(document).toMatchObject({ status: "queued", dreamingStatus: "dreaming", containerTags: [defaultContainerTag], revision: 1, publishedRevision: null });
	expect(await tenant().documents.get(document.id)).toMatchObject({ content: { text: "The ferry leaves at six." } });
	expect(await jobs()).toBe(1);
	expect((await add({ taskType: "superrag" })).dreamingStatus).toBe("done");
});

test("without a name the same content twice is two documents", async () => {
	expect((await add()).id).not.toBe((await add()).id);
});

test("the same content under the same name is not read again; what stands beside it is changed", async () => {
	const first = await add({ customId: "ferry", containerTags: ["harbour"], metadata: { pier: 7, kept: "yes" }, filepath: "/a" });
	const again = await add({ customId: "ferry", metadata: { pier: 8 } });
	expect(again).toMatchObject({ id: first.id, revision: 1, metadata: { pier: 8, kept: "yes" }, containerTags: ["harbour"], filepath: "/a" });
	expect(await jobs()).toBe(1);
});

test("a document that moves while it is sent without containers stays where it went", async () => {
	const first = await add({ customId: "ferry", containerTags: ["harbour"] });
	const { documents } = tenant();
	const change: typeof documents.change = async (...given) => {
		await documents.change(first.id, { containerTags: ["port"] }, world.now(), null);
		return documents.change(...given);
	};
	const again = await add({ customId: "ferry", content: text("The ferry leaves at seven.") }, { ...tenant(), documents: { ...documents, change } });
	expect(again).toMatchObject({ id: first.id, revision: 2, containerTags: ["port"] });
});

test("other content under the same name is a new revision of the same document", async () => {
	const first = await add({ customId: "ferry" });
	const changed = await add({ customId: "ferry", content: text("The ferry leaves at seven."), writtenBy: asId<KeyId>("1111111111111111111111") });
	expect(changed).toMatchObject({ id: first.id, revision: 2, status: "queued", writtenBy: "1111111111111111111111" });
});

test("what has failed is tried again, though nothing has changed", async () => {
	const first = await add({ customId: "ferry" });
	const failure = { code: "FILE_BROKEN", message: "broken", hint: null, stage: "extracting", retryAt: null } as never;
	await tenant().documents.fail(first.id, 1, failure, "failed", world.now());
	expect(await add({ customId: "ferry" })).toMatchObject({ id: first.id, status: "queued", revision: 2 });
});

test("a name that somebody else takes between the look and the write is looked at anew", async () => {
	const documents = tenant().documents;
	let isFirst = true;
	const raced = {
		...tenant(),
		documents: {
			...documents,
			add: async (...given: Parameters<typeof documents.add>) => {
				if (isFirst) {
					isFirst = false;
					await add({ customId: "ferry", content: text("Of another client.") });
				}
				return documents.add(...given);
			},
		},
	};
	const document = await add({ customId: "ferry" }, raced);
	expect(document).toMatchObject({ revision: 2, content: { text: "The ferry leaves at six." } });
	expect((await tenant().documents.byCustomId("ferry", [], 1))[0] ?? null).toMatchObject({ id: document.id });
});

test("a name that is taken and gone at every look is an error, and not an endless loop", async () => {
	const contested = { ...tenant(), documents: { ...tenant().documents, byCustomId: async () => [], add: async () => false } };
	expect(await add({ customId: "ferry" }, contested).catch((thrown: unknown) => thrown)).toMatchObject({ code: "CUSTOM_ID_TAKEN" });
});

test("what is said of a container is known before its first document, and written once", async () => {
	let changes = 0;
	const { containers } = tenant();
	const watched = {
		...tenant(),
		containers: {
			...containers,
			change: (...given: Parameters<typeof containers.change>) => {
				changes++;
				return containers.change(...given);
			},
		},
	};
	for (let i = 0; i < 2; i++) await add({ containerTags: ["harbour"], entityContext: "Ferries of Lindau" }, watched);
	expect((await containers.get("harbour"))?.entityContext).toBe("Ferries of Lindau");
	expect(changes).toBe(1);
});
