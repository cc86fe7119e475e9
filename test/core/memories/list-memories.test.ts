/** A list without what was forgotten says what is current now, whatever the clock said when it was learnt or forgotten. */

import { expect, test } from "bun:test";
import { wholeOrganisation } from "cairn-memory/stores";
import { createMemoryService } from "../../../core/memories/memory-service.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createTestWorld } from "../../doubles/world.ts";
import { us } from "./decided-memories.ts";

const dayMs = 24 * 60 * 60_000;
const page = { offset: 0, limit: 10, sort: "createdAt", order: "asc" } as const;

test("of a clock that was ahead for a day nothing forgotten is listed, and nothing new is missing", async () => {
	const world = createTestWorld();
	const memories = createMemoryService(createTestParts(world, { storage: ramStorage() }), dayMs);
	const learn = (text: string) =>
		memories.create(us, "home", [{ text, isStatic: false, metadata: {}, forgetAfter: null, forgetReason: null }], new AbortController().signal);
	const listed = async () => (await memories.list(us, wholeOrganisation, page, false)).entries.map(({ memory }) => memory.text);
	await learn("The lamp is lit.");
	world.setClock(dayMs);
	await memories.forget(us, "home", { id: null, text: "The lamp is lit." }, null);
	await learn("Siri keeps the log.");
	world.setClock(-dayMs);
	expect(await listed()).toEqual(["Siri keeps the log."]);
});
