/** What is known of an organisation's memories from one job to the next, and for how long. */

import { expect, test } from "bun:test";
import type { Memory, MemoryId, OrganisationId } from "../../../core/index.ts";
import { createRecentByOrganisation } from "../../../core/memories/recent-memories.ts";
import { heldMegabytes } from "../../doubles/held-memory.ts";

const organisation = (i: number) => `organisation-${i}` as OrganisationId;
const memory = (i: number) => ({ id: `memory-${i}` as MemoryId, text: "a" }) as Memory;

test("it is kept for the next job of the organisation, and read again after a while", () => {
	let at = 0;
	const recent = createRecentByOrganisation({ elapsedMs: () => at });
	recent.of(organisation(1)).set(memory(1));
	at = 29_999;
	expect(recent.of(organisation(1)).get("memory-1" as MemoryId)).toBeDefined();
	at = 30_000;
	expect(recent.of(organisation(1)).get("memory-1" as MemoryId)).toBeUndefined();
});

test("organisations whose jobs never end keep nothing", () => {
	let at = 0;
	const recent = createRecentByOrganisation({ elapsedMs: () => at });
	const before = heldMegabytes();
	for (let i = 0; i < 1_000; i++, at += 1_000)
		recent.of(organisation(i)).set({ ...memory(i), text: new TextDecoder().decode(new Uint8Array(50_000).fill(97)) });
	expect(heldMegabytes() - before).toBeLessThan(10);
	expect(recent.of(organisation(999)).get("memory-999" as MemoryId)).toBeDefined();
});
