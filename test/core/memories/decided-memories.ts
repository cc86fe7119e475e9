/** A core that draws a memory of each line, and what its tests do with them: over any storage. */

import { asId, type MemoryDraft, type OrganisationId } from "cairn-memory";
import { type Caller, type DocumentId, isCurrent, type Storage, wholeOrganisation } from "cairn-memory/stores";
import { createContainerService } from "../../../core/containers/container-service.ts";
import { createMemoryService } from "../../../core/memories/memory-service.ts";
import type { Parts } from "../../../core/parts.ts";
import { createRemovalService } from "../../../core/removals/removal-service.ts";
import { createReviewService } from "../../../core/review/review-service.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import { createService, runWorker } from "../../../core/service.ts";
import { createWorld } from "../../../server/boot/world.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { until } from "../../doubles/until.ts";

export const us: Caller = { organisation: asId<OrganisationId>("1111111111111111111111"), role: "admin", grants: null };
const undoMs = 7 * 24 * 60 * 60_000;
const signal = new AbortController().signal;

export interface Shown {
	readonly id: string;
	readonly text: string;
	readonly version: number;
}

/** @param tag the container of all that is said, until it is merged into another */
export function openGround(storage: Storage, overrides: Partial<Parts> = {}, tag = "home") {
	const { world = createWorld({ log: () => undefined }) } = overrides;
	const parts = createTestParts(world, { storage, ...overrides });
	const notifier = createNotifier();
	const service = createService(parts, notifier);
	const memories = createMemoryService(parts, undoMs);
	const reviews = createReviewService(parts);
	const removals = createRemovalService(parts, undoMs, notifier);
	const containers = createContainerService(parts, notifier);
	const stopping = new AbortController();
	const working = runWorker(parts, "test", 2, notifier, stopping.signal);

	async function finished(id: DocumentId): Promise<void> {
		await until(async () => {
			const { status, dreamingStatus } = await service.get(us, id);
			return status === "failed" || (status === "done" && dreamingStatus === "done");
		});
	}

	async function all() {
		const page = { offset: 0, limit: 200, sort: "createdAt", order: "asc" } as const;
		return (await memories.list(us, wholeOrganisation, page, true)).entries.map(({ memory }) => memory);
	}

	return {
		memories,
		reviews,
		service,
		all,
		/** What a search would show. */
		shown: async (): Promise<readonly Shown[]> =>
			(await all()).filter((memory) => isCurrent(memory, world.now())).map(({ id, text, version }) => ({ id, text, version })),
		say: async (customId: string, lines: readonly string[]): Promise<DocumentId> => {
			const content = { kind: "text", text: lines.join("\n"), mediaType: "text/plain" } as const;
			const beside = { customId, containerTags: [tag], metadata: {}, filepath: null, taskType: "memory", dreaming: "instant" } as const;
			const { id } = await service.add(us, { content, ...beside });
			await finished(id);
			return id;
		},
		forget: async (text: string) => (await memories.forget(us, tag, { id: null, text }, null)).memory.id,
		correct: (text: string, wanted: string) => memories.revise(us, tag, { id: null, text }, { text: wanted, furtherMetadata: {} }, signal),
		restore: (id: string) => memories.restore(us, tag, { kind: "one", id }),
		/** @returns the name by which it is undone */
		remove: async (id: DocumentId) => (await removals.removeNamed(us, [id])).removal ?? "",
		undo: async (removal: string) => (await removals.restore(us, removal)).documents,
		/** Moves all there is into another container, where it goes on. */
		merge: async (into: string) => {
			const { id } = await containers.merge({ ...us, id: "key" }, [tag], into);
			await until(async () => (await containers.mergeStatus({ ...us, id: "key" }, id)).status === "done");
			tag = into;
		},
		finished,
		close: async () => {
			stopping.abort();
			await working;
		},
	};
}

export type Ground = ReturnType<typeof openGround>;

/** A memory extractor that draws what it is told of each line. */
export function drawing(draw: (line: string) => readonly (Pick<MemoryDraft, "text"> & Partial<MemoryDraft>)[]): Parts["memoryExtractors"] {
	const rest = { isStatic: false, isInference: false, confidence: 1, subject: null, eventTime: null, forgetAfter: null };
	return [
		{
			name: "drawing",
			extract: async ({ document, chunks }) =>
				chunks.flatMap(({ id, text }) =>
					draw(text).map((drawn) => ({ ...rest, ...drawn, evidence: [{ document: document.id, chunk: id, span: [0, text.length] as const }] })),
				),
		},
	];
}
