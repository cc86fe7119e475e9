/** What is long does not wait in memory, and says that it makes room for others. */

import { expect, test } from "bun:test";
import { limits } from "cairn";
import type { Extracted } from "../../../core/pipeline/hand-offs.ts";
import { createReadings } from "../../../core/queue/reading.ts";
import { createTestWorld, settle } from "../../doubles/world.ts";

const never = new AbortController().signal;
const document = { content: { kind: "text", text: "", mediaType: "text/plain" } } as unknown as Extracted["document"];
const extractedOf = (length: number) => ({ document, mediaType: "text/plain", extraction: { text: "a".repeat(length) } }) as unknown as Extracted;

test("a long text is read again when its turn comes", async () => {
	const begin = createReadings(createTestWorld());
	const [first, second] = [begin(), begin()];
	let readings = 0;
	const extract = async () => {
		readings++;
		return extractedOf(limits.charactersInHandMax);
	};
	await first.run(document, never, extract);
	const later = second.run(document, never, extract);
	await settle();
	expect(readings).toBe(2);
	first.end();
	expect((await later).extraction.text).toHaveLength(limits.charactersInHandMax);
	expect(readings).toBe(3);
	second.end();
});

test("a reading is long after two seconds, until it is over", async () => {
	const world = createTestWorld();
	const reading = createReadings(world)();
	const gate = Promise.withResolvers<Extracted>();
	const run = reading.run(document, never, () => gate.promise);
	await settle();
	expect(reading.isLong()).toBe(false);
	world.advance(2_000);
	expect(reading.isLong()).toBe(true);
	gate.resolve(extractedOf(1));
	await run;
	expect(reading.isLong()).toBe(false);
});
