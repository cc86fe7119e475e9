/** A random organisation over a few containers: documents in several at once, memories with sources and forebears anywhere. */

import type { Chunk, Memory } from "cairn-memory";
import type { Document, Grants, MemoryEdge, Storage, TenantStore } from "cairn-memory/stores";
import fc from "fast-check";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, edgeBetween, evidenceIn, type Samples, sampleOrganisation, sampleSpace } from "../../contract/samples.ts";
import { addPublished } from "../../contract/storage/ground.ts";

/** Words that stand in no other text. */
export const containers = ["quuxalpha", "quuxbeta", "quuxgamma", "quuxdelta"] as const;

const tag = fc.constantFrom(...containers);
const tags = fc.uniqueArray(tag, { minLength: 1, maxLength: 3 });

export interface Plan {
	readonly documents: readonly (readonly string[])[];
	readonly memories: readonly { readonly tag: string; readonly source: number; readonly parent: number }[];
	readonly grants: Grants;
}

export const plans: fc.Arbitrary<Plan> = fc.record({
	documents: fc.array(tags, { minLength: 1, maxLength: 6 }),
	memories: fc.array(fc.record({ tag, source: fc.nat(5), parent: fc.nat(7) }), { maxLength: 8 }),
	grants: fc.uniqueArray(fc.record({ containerTag: tag, permission: fc.constantFrom("read" as const, "write" as const) }), {
		selector: ({ containerTag }) => containerTag,
		minLength: 1,
		maxLength: 3,
	}),
});

export interface RandomWorld {
	readonly storage: Storage;
	/** Without bounds. */
	readonly tenant: TenantStore;
	readonly samples: Samples;
	readonly documents: readonly Document[];
	readonly chunks: readonly Chunk[];
	readonly memories: readonly Memory[];
	readonly edges: readonly MemoryEdge[];
}

/** Every text, path and name tells in which containers it is, so that whatever leaks is seen by its words. */
export async function makeWorld(plan: Plan): Promise<RandomWorld> {
	const storage = ramStorage();
	const tenant = storage.organisation(sampleOrganisation);
	const samples = createSamples(1);
	const [documents, chunks, memories, edges]: [Document[], Chunk[], Memory[], MemoryEdge[]] = [[], [], [], []];
	for (const [i, containerTags] of plan.documents.entries()) {
		const text = `the harbour of ${i} opens at dawn`;
		const content = { kind: "text", text, mediaType: "text/plain" } as const;
		const published = await addPublished({ tenant, samples }, [text, `${text} again`], {
			containerTags,
			customId: `custom-${i}`,
			filepath: `/in/${i}`,
			content,
		});
		documents.push(published.document);
		chunks.push(...published.chunks);
	}
	for (const [i, { tag: containerTag, source, parent: older }] of plan.memories.entries()) {
		const chunk = chunks[source % chunks.length];
		const parent = memories[older] ?? null;
		const memory = samples.makeMemory({
			containerTag,
			text: `the harbour keeps fact ${i}`,
			evidence: chunk === undefined ? [] : [evidenceIn(chunk)],
			parent: parent?.id ?? null,
			root: parent?.root ?? parent?.id ?? null,
		});
		const edge = parent === null ? [] : [edgeBetween(memory, "extends", parent)];
		await tenant.memories.save(sampleSpace, [{ memory, vector: samples.makeVector() }], edge);
		memories.push(memory);
		edges.push(...edge);
	}
	return { storage, tenant, samples, documents, chunks, memories, edges };
}
