/** What a container store promises: a container is there with what names it, is counted right, and keeps what is said of it. */

import type { CountedContainer, TenantStore } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import {
	addDocument,
	addPublished,
	firstChunk,
	type Ground,
	later,
	type OpenStorage,
	saveExtracted,
	saveMemory,
	saveReplacement,
	storageTest,
} from "./ground.ts";

export function containerStoreContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `containers: ${name}`, holds);
	return [
		contractTest("a container is there from the first document or memory that names it", namedIsThere),
		contractTest("counts are of what is there and current", countsAreTrue),
		contractTest("what is said of a container is kept, and makes it where it is missing", changesAreKept),
		contractTest("a description is written of what is there, and makes nothing", describesWhatIsThere),
		contractTest("removing a container removes nothing that is in it", removesItselfOnly),
		contractTest("another organisation has containers of its own", apart),
	];
}

async function tagsOf(tenant: TenantStore): Promise<readonly string[]> {
	return (await tenant.containers.list()).map(({ container }) => container.tag);
}

async function counted(tenant: TenantStore, tag: string): Promise<CountedContainer["counts"] | undefined> {
	return (await tenant.containers.list()).find(({ container }) => container.tag === tag)?.counts;
}

async function namedIsThere(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	demandEqual(await tenant.containers.list(), [], "the containers of an empty storage");
	demandEqual(await tenant.containers.get("harbour"), null, "a container that nobody named");
	const document = await addDocument(ground, { containerTags: ["harbour", "boats"] });
	await saveMemory(ground, { containerTag: "people" });
	await tenant.documents.change(document.id, { containerTags: ["harbour", "moved"] }, samples.nextTime(), null);
	demandEqual((await tagsOf(tenant)).toSorted(), ["boats", "harbour", "moved", "people"], "the containers that were named");
	const made = await tenant.containers.get("harbour");
	demandEqual(
		made,
		{
			tag: "harbour",
			name: null,
			description: null,
			entityContext: null,
			emoji: null,
			memoryFilesystemPaths: null,
			profileBuckets: [],
			createdAt: document.createdAt,
			updatedAt: document.createdAt,
		},
		"a container of which nothing was said",
	);
}

async function countsAreTrue(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const chunk = await firstChunk(addPublished(ground, ["a ferry"], { containerTags: ["harbour"] }));
	await addDocument(ground, { containerTags: ["harbour", "boats"] });
	const replaced = await saveExtracted(ground, chunk, { containerTag: "harbour" });
	await saveReplacement(ground, { ...replaced, containerTag: "harbour" });
	const forgotten = await saveMemory(ground, { containerTag: "boats" });
	const at = samples.nextTime();
	await tenant.memories.forget([forgotten.id], null, at);
	demandEqual((await counted(tenant, "harbour"))?.documents, 2, "the documents of a container");
	demandEqual((await counted(tenant, "boats"))?.documents, 1, "the documents of another container");
	demandEqual((await counted(tenant, "boats"))?.memories, 0, "the memories of a container whose only one is forgotten");
	await tenant.documents.remove(chunk.document, later);
	demandEqual((await counted(tenant, "harbour"))?.documents, 1, "the documents of a container after one was removed");
	const quiet = await saveMemory(ground, { containerTag: "quiet" });
	demandEqual(await counted(tenant, "quiet"), { documents: 0, memories: 1, lastActivityAt: quiet.updatedAt }, "a container with a memory alone");
	await tenant.containers.change("empty", {}, later);
	demandEqual(await counted(tenant, "empty"), { documents: 0, memories: 0, lastActivityAt: null }, "an empty container");
}

async function changesAreKept({ tenant, samples }: Ground): Promise<void> {
	const first = samples.nextTime();
	const second = samples.nextTime();
	await tenant.containers.change("harbour", { name: "Der Hafen", emoji: "⚓", profileBuckets: [{ key: "ships", description: "What lies here" }] }, first);
	const changed = await tenant.containers.change("harbour", { entityContext: "About boats", memoryFilesystemPaths: ["/logs/"] }, second);
	const wanted = {
		tag: "harbour",
		name: "Der Hafen",
		emoji: "⚓",
		description: null,
		entityContext: "About boats",
		memoryFilesystemPaths: ["/logs/"],
		profileBuckets: [{ key: "ships", description: "What lies here" }],
		createdAt: first,
		updatedAt: second,
	};
	demandEqual(changed, wanted, "what a change answers");
	demandEqual(await tenant.containers.get("harbour"), wanted, "a changed container");
	await tenant.containers.change("harbour", { entityContext: null, memoryFilesystemPaths: null, name: null, emoji: null, profileBuckets: [] }, second);
	demandEqual(
		await tenant.containers.get("harbour"),
		{ ...wanted, name: null, emoji: null, entityContext: null, memoryFilesystemPaths: null, profileBuckets: [] },
		"a container of which everything was taken back",
	);
}

async function describesWhatIsThere({ tenant, others, samples }: Ground): Promise<void> {
	const made = await tenant.containers.change("harbour", { name: "Der Hafen" }, samples.nextTime());
	demand(await tenant.containers.describe("harbour", "ferries, tides"), "a container that is there was not described");
	demandEqual(await tenant.containers.get("harbour"), { ...made, description: "ferries, tides" }, "a described container");
	demand(!(await others.containers.describe("harbour", "theirs")), "a container of another organisation was described");
	demand(!(await tenant.containers.describe("nowhere", "nothing")), "a container that is not there was described");
	demandEqual((await tenant.containers.list()).length, 1, "how many containers there are");
	demandEqual(await others.containers.list(), [], "the containers of another organisation");
}

async function removesItselfOnly(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const document = await addDocument(ground, { containerTags: ["harbour"] });
	await tenant.containers.change("harbour", { name: "Harbour" }, later);
	demand(await tenant.containers.remove("harbour"), "a container was not removed");
	demand(!(await tenant.containers.remove("harbour")), "a container was removed twice");
	demandEqual(await tenant.containers.get("harbour"), null, "a removed container");
	demand((await tenant.documents.get(document.id)) !== null, "a document went with its container");
	await addDocument(ground, { containerTags: ["harbour"] });
	demandEqual((await tenant.containers.get("harbour"))?.name, null, "the name of a container that came to be anew");
}

async function apart(ground: Ground): Promise<void> {
	const { tenant, others } = ground;
	await addDocument(ground, { containerTags: ["harbour"] });
	demandEqual(await others.containers.list(), [], "the containers of another organisation");
	await others.containers.change("harbour", { name: "Theirs" }, later);
	demandEqual((await tenant.containers.get("harbour"))?.name, null, "the name that another organisation gave");
	demandEqual(await counted(others, "harbour"), { documents: 0, memories: 0, lastActivityAt: null }, "the counts of another organisation");
	await others.containers.remove("harbour");
	demandEqual(await tagsOf(tenant), ["harbour"], "the containers after another organisation removed its own");
}
