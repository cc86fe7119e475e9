/** Notes that are added behind hundreds of files are not kept waiting by them, and are done in their own order. */

import { expect, test } from "bun:test";
import { asId, type Extractor, limits, type OrganisationId } from "cairn-memory";
import { receive } from "../../../core/ingest/receive.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import { runWorker } from "../../../core/service.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createTestWorld, settle } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");
const request = { customId: null, containerTags: ["home"], metadata: {}, filepath: null, taskType: "superrag", dreaming: "instant" } as const;
const long = "the lamp is lit. ".repeat(Math.ceil(limits.lightCharactersMax / 17) + 1);
const files = 400;
const notes = 20;

test(`${notes} notes behind ${files} files that nobody has finished reading`, async () => {
	const world = createTestWorld();
	const gateway = Promise.withResolvers<void>();
	const read: string[] = [];
	let reading = 0;
	const slow = (extractor: Extractor): Extractor => ({
		...extractor,
		extract: async (source, step) => {
			const text = source.text ?? "";
			if (text.length > limits.lightCharactersMax) {
				reading++;
				await gateway.promise;
			} else read.push(text);
			return extractor.extract(source, step);
		},
	});
	const plain = createTestParts(world);
	const parts = { ...plain, extractors: plain.extractors.map(slow) };
	const tenant = parts.storage.organisation(organisation);
	const notifier = createNotifier();
	const stopping = new AbortController();
	const add = async (text: string) => {
		await receive({ ...request, content: { kind: "text", text, mediaType: "text/plain" } }, organisation, tenant, world);
		notifier.notify();
	};
	for (let i = 0; i < files; i++) await add(`${long} ${i}`);
	const working = runWorker(parts, "w", limits.concurrentDocumentsMax, notifier, stopping.signal);
	await settle(200);
	for (let i = 0; i < notes; i++) await add(`note ${i}`);
	// Less than two seconds pass: no file has become a long one.
	for (let i = 0; i < 36 && read.length < notes; i++) {
		world.advance(50);
		await settle(50);
	}
	expect(read).toEqual(Array.from({ length: notes }, (_, i) => `note ${i}`));
	expect(reading).toBe(limits.concurrentHeavyDocumentsMax);
	gateway.resolve();
	stopping.abort();
	world.advance(limits.leaseMs);
	await working;
}, 60_000);
