/** A new version of a memory: what belongs to its text stays with the text. */

import { expect, test } from "bun:test";
import { asId, type Embedder, type OrganisationId } from "cairn-memory";
import { type Grants, wholeOrganisation } from "cairn-memory/stores";
import { authorize } from "../../../core/access/authorize.ts";
import { reviseMemory } from "../../../core/memories/revise.ts";
import { createSamples } from "../../contract/samples.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createStep } from "../../doubles/step.ts";
import { createTestWorld } from "../../doubles/world.ts";

test("marked as lasting it keeps its day and its context; with other words it is said now and stands alone", async () => {
	const parts = createTestParts(createTestWorld());
	const tenant = parts.storage.organisation(asId<OrganisationId>("1111111111111111111111"));
	const asked: string[] = [];
	const embed: Embedder["embed"] = async (texts, purpose, step) => {
		asked.push(...texts);
		return parts.embedder.embed(texts, purpose, step);
	};
	const embedder = { ...parts.embedder, embed };
	const saidAt = new Date("2026-09-02T12:00:00Z");
	const memory = createSamples(1).makeMemory({ containerTag: "home", text: "Leonie has a boat.", saidAt, indexedText: "Harbour: Leonie has a boat." });
	const [vector = new Float32Array()] = await embedder.embed([memory.text], "document", createStep());
	await tenant.memories.save(embedder.space, [{ memory, vector }], []);
	const revise = (text: string, isStatic?: boolean) =>
		reviseMemory(
			"home",
			{ id: memory.id, text: null },
			{ text, furtherMetadata: {}, ...(isStatic === undefined ? {} : { isStatic }) },
			{ ...parts, tenant, embedder },
			createStep(),
		);
	expect(await revise(memory.text, true)).toMatchObject({ isStatic: true, saidAt, indexedText: memory.indexedText, version: 2 });
	const changed = await revise("Leonie sold her boat.");
	expect([changed.saidAt, changed.indexedText, changed.isStatic]).toEqual([undefined, undefined, true]);
	expect(asked.slice(1)).toEqual(["Harbour: Leonie has a boat.", "Leonie sold her boat."]);
});

test.each<[string, Grants | null]>([
	["of the whole organisation", null],
	["that sees its container alone", [{ containerTag: "home", permission: "write" }]],
])("a correction by a key %s is refused if its memory moves away meanwhile, and the container that is gone does not come back", async (_, grants) => {
	const parts = createTestParts(createTestWorld());
	const organisation = asId<OrganisationId>("1111111111111111111111");
	const moved = parts.storage.organisation(organisation);
	const memory = createSamples(1).makeMemory({ containerTag: "home", text: "Leonie has a boat." });
	await moved.memories.save(parts.embedder.space, [{ memory, vector: new Float32Array(parts.embedder.space.dimensions).fill(0.1) }], []);
	const embed: Embedder["embed"] = async (...given) => {
		await moved.memories.rehome("home", "harbour", 10, parts.world.now());
		await moved.containers.remove("home");
		return parts.embedder.embed(...given);
	};
	const tenant = authorize(parts.storage, { organisation, role: "write", grants });
	const correction = { text: "Leonie has two boats.", furtherMetadata: {} };
	const revising = reviseMemory("home", { id: memory.id, text: null }, correction, { ...parts, tenant, embedder: { ...parts.embedder, embed } }, createStep());
	expect(await revising.catch(({ code }) => code)).toBe("MEMORY_MISSING");
	const page = { offset: 0, limit: 9, sort: "createdAt", order: "asc" } as const;
	const left = (await moved.memories.list(wholeOrganisation, true, page)).memories;
	expect(left.map(({ id, containerTag }) => [id, containerTag])).toEqual([[memory.id, "harbour"]]);
	expect(await moved.containers.get("home")).toBeNull();
});
