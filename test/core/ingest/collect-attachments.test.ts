/** What is inside of a document becomes documents: bounds, a second reading, a parent that goes meanwhile. */

import { expect, test } from "bun:test";
import { type Attachment, asId, fail, limits } from "cairn-memory";
import { attachmentsPrefix, type Document, type RemovalId } from "cairn-memory/stores";
import { collectAttachments } from "../../../core/ingest/collect-attachments.ts";
import textPlugin from "../../../plugins/extractors/text/index.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createMediaTypes } from "../../../server/boot/media-types.ts";
import { createWorld } from "../../../server/boot/world.ts";
import { createSamples, sampleOrganisation } from "../../contract/samples.ts";
import { createStep, startExtractors } from "../../doubles/extractor-host.ts";

const world = createWorld({ log: () => undefined });
const samples = createSamples(1);
const extractors = await startExtractors(textPlugin());
const mediaTypes = createMediaTypes(extractors, new Set());

async function ground(overrides: Partial<Document> = {}) {
	const tenant = ramStorage().organisation(sampleOrganisation);
	const parent = samples.makeDocument(overrides);
	await tenant.documents.add({ ...parent, customId: null }, samples.makeJob(parent));
	const read = () => {
		const step = createStep();
		return { step, ...collectAttachments(parent, { tenant, extractors, mediaTypes, world }, step) };
	};
	const paths = async (of = parent) =>
		(await tenant.documents.byPrefix(attachmentsPrefix(of), null, 10_000)).map(({ customId }) => customId?.slice(attachmentsPrefix(of).length));
	return { tenant, parent, read, paths };
}

const file = (path: string, text = `Words of ${path}.`): Attachment => ({ path, bytes: new TextEncoder().encode(text), claimedMediaType: null });

test("a second reading changes what has changed and removes what has gone", async () => {
	const { tenant, parent, read, paths } = await ground({ filepath: "/box.zip", metadata: { title: "Box", shelf: 3 } });
	const first = read();
	await Promise.all([file("a.txt"), file("b.txt"), file("a.txt", "Its twin.")].map(first.collect));
	await first.finish();
	expect(await paths()).toEqual(["a (2).txt", "a.txt", "b.txt"]);
	const [before] = await tenant.documents.byCustomId(`${attachmentsPrefix(parent)}a.txt`, [], 1);
	expect(before).toMatchObject({
		filepath: "/box.zip/a.txt",
		metadata: { shelf: 3, parentId: parent.id, memberPath: "a.txt" },
		containerTags: parent.containerTags,
	});
	const second = read();
	await Promise.all([file("a.txt"), file("b.txt", "Other words.")].map(second.collect));
	await second.finish();
	expect(await paths()).toEqual(["a.txt", "b.txt"]);
	expect(((await tenant.documents.byCustomId(`${attachmentsPrefix(parent)}a.txt`, [], 1))[0] ?? null)?.revision).toBe(1);
	expect(((await tenant.documents.byCustomId(`${attachmentsPrefix(parent)}b.txt`, [], 1))[0] ?? null)?.revision).toBe(2);
});

test("a reading that did not come to its end removes nothing", async () => {
	const { read, paths } = await ground();
	const first = read();
	await Promise.all([file("a.txt"), file("b.txt")].map(first.collect));
	await first.finish();
	await read().collect(file("a.txt"));
	expect(await paths()).toEqual(["a.txt", "b.txt"]);
});

test("what is empty, too large or of no known kind is left out, and so is what is too deep", async () => {
	const { read, paths } = await ground();
	const { collect, finish, step } = read();
	const taken = [
		await collect(file("empty.txt", "")),
		await collect({ ...file("big.txt"), bytes: new Uint8Array(limits.fileBytesMax + 1) }),
		await collect({ ...file("x.bin"), bytes: Uint8Array.of(0, 1, 2, 3, 255) }),
	];
	expect([...taken, await collect(file("good.txt"))]).toEqual([false, false, false, true]);
	await finish();
	expect(await paths()).toEqual(["good.txt"]);
	expect(step.warnings.map(({ message }) => message.split(":")[0])).toEqual([
		"1 files inside were left out, empty",
		`1 files inside were left out, larger than ${limits.fileBytesMax} bytes, or than ${limits.attachmentBytesMax} together`,
		"1 files inside were left out, of kinds that no extractor reads",
	]);
	const { parent, tenant } = await ground();
	const content = {
		kind: "file",
		blob: "b",
		fileName: null,
		claimedMediaType: null,
		byteLength: 1,
		sha256: "",
		member: { parent: parent.id, path: "a", depth: limits.attachmentDepthMax },
	} as const;
	const deep = collectAttachments({ ...parent, content }, { tenant, extractors, mediaTypes, world }, createStep());
	expect(await deep.collect(file("a.txt"))).toBe(false);
});

test("one document and a whole family have room for so many", async () => {
	const { read, paths, tenant, parent } = await ground();
	const { collect, finish } = read();
	for (let at = 0; at < limits.attachmentsMax + 3; at++) await collect(file(`${at}.txt`));
	await finish();
	expect((await paths()).length).toBe(limits.attachmentsMax);
	const crowded = {
		...tenant,
		documents: { ...tenant.documents, descendants: async () => ({ statuses: new Map([["done", limits.descendantsMax - 2] as const]), bytes: 0 }) },
	};
	const inner = samples.makeDocument({ customId: `${attachmentsPrefix(parent)}inner.zip` });
	await tenant.documents.add(inner, samples.makeJob(inner));
	const second = collectAttachments(inner, { tenant: crowded, extractors, mediaTypes, world }, createStep());
	expect([await second.collect(file("a.txt")), await second.collect(file("b.txt")), await second.collect(file("c.txt"))]).toEqual([true, true, false]);
});

test("a parent that goes while it is read leaves nothing behind", async () => {
	const { tenant, parent, read, paths } = await ground();
	const { collect } = read();
	expect(await collect(file("a.txt"))).toBe(true);
	await tenant.removals.setAside(parent.id, asId<RemovalId>("remova1DDDDDDDDDDDDDDD"), new Date(Date.now() + 1_000), new Date());
	await expect(collect(file("b.txt"))).rejects.toMatchObject({ code: "DOCUMENT_SUPERSEDED" });
	expect(await paths()).toEqual([]);
});

test("the bytes go if the document was certainly not stored, and stay if nobody knows", async () => {
	const { tenant, parent } = await ground();
	async function bytesAfter(thrown: Error): Promise<boolean> {
		const keys: string[] = [];
		const put: typeof tenant.blobs.put = (key, ...rest) => {
			keys.push(key);
			return tenant.blobs.put(key, ...rest);
		};
		const failing = {
			...tenant,
			blobs: { ...tenant.blobs, put },
			documents: { ...tenant.documents, add: () => Promise.reject(thrown) },
		};
		await expect(collectAttachments(parent, { tenant: failing, extractors, mediaTypes, world }, createStep()).collect(file("a.txt"))).rejects.toBe(thrown);
		return (await tenant.blobs.get(keys[0] ?? "")) !== null;
	}
	expect([await bytesAfter(fail("QUOTA_DOCUMENTS", 1, 1)), await bytesAfter(fail("STORAGE_FULL"))]).toEqual([false, false]);
	expect([await bytesAfter(fail("STORAGE_UNREACHABLE", "it broke off")), await bytesAfter(new Error("unknown"))]).toEqual([true, true]);
});
