/** Whatever searches is counted as a search, explained or not. */

import { expect, test } from "bun:test";
import { createNotifier } from "../../../../core/runtime/notifier.ts";
import { createService, type Service } from "../../../../core/service.ts";
import { withSearches } from "../../../../server/boot/ingestion/with-searches.ts";
import { us } from "../../../core/memories/decided-memories.ts";
import { createTestParts } from "../../../doubles/parts.ts";
import { documentQuery, memoryQuery } from "../../../doubles/queries.ts";
import { createTestWorld } from "../../../doubles/world.ts";

const { signal } = new AbortController();

const searches: readonly (readonly [name: string, run: (service: Service) => Promise<unknown>])[] = [
	["documents", (service) => service.searchDocuments(us, documentQuery, signal)],
	["memories", (service) => service.searchMemories(us, memoryQuery, signal)],
	["documents, explained", async (service) => (await service.explainDocuments(us, documentQuery, signal)).results],
	["memories, explained", async (service) => (await service.explainMemories(us, memoryQuery, signal)).results],
];

test.each(searches)("a search of %s is counted once, and answers as before", async (_name, run) => {
	const service = createService(createTestParts(createTestWorld()), createNotifier());
	let counted = 0;
	const counting = withSearches(service, (search) => {
		counted += 1;
		return search();
	});
	expect(await run(counting)).toEqual(await run(service));
	expect(counted).toBe(1);
});
