/** What those who extract memories are told of a container, where a document is remembered, and what a container is about. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { asId, type MemoryExtractor, type MemoryInput, type OrganisationId } from "cairn-memory";
import { type Caller, wholeOrganisation } from "cairn-memory/stores";
import type { AddRequest } from "../../../core/ingest/receive.ts";
import type { Parts } from "../../../core/parts.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import { createService, runWorker, type Service } from "../../../core/service.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createTestWorld, settle, type TestWorld } from "../../doubles/world.ts";

const us: Caller = { organisation: asId<OrganisationId>("1111111111111111111111"), role: "admin", grants: null };

let world: TestWorld;
let parts: Parts;
let service: Service;
let stopping: AbortController;
let working: Promise<void>;
let inputs: MemoryInput[];

beforeEach(() => {
	world = createTestWorld();
	inputs = [];
	const listening: MemoryExtractor = {
		name: "listening",
		extract: async (reading) => {
			inputs.push(reading);
			return [];
		},
	};
	parts = createTestParts(world);
	parts = { ...parts, memoryExtractors: [...parts.memoryExtractors, listening] };
	const notifier = createNotifier();
	service = createService(parts, notifier);
	stopping = new AbortController();
	working = runWorker(parts, "test", 4, notifier, stopping.signal);
});
afterEach(async () => {
	stopping.abort();
	await working;
});

const tenant = () => parts.storage.organisation(us.organisation);

async function addDone(text: string, overrides: Partial<AddRequest> = {}) {
	const content = { kind: "text", text, mediaType: "text/plain" } as const;
	const common = { customId: null, containerTags: ["home"], metadata: {}, filepath: null, taskType: "memory", dreaming: "instant" } as const;
	const { id } = await service.add(us, { content, ...common, ...overrides });
	await settle();
	return service.get(us, id);
}

const remembered = async (tag: string) => {
	const page = { offset: 0, limit: 50, sort: "createdAt", order: "asc" } as const;
	return (await tenant().memories.list({ ...wholeOrganisation, containerTags: [tag] }, true, page)).memories.map(({ text }) => text);
};

test("what is said of a container goes along with the document, stays, and is told to every extractor", async () => {
	await addDone("Ada is here", { entityContext: "about Ada" });
	await addDone("Otto is here");
	await addDone("Paul is here", { containerTags: ["work"] });
	await addDone("all of them is fine", { containerTags: ["home", "work", "play"], dreaming: "dynamic" });
	expect(inputs.map(({ entityContext }) => entityContext)).toEqual(["about Ada", "about Ada", null, "about Ada"]);
	expect((await tenant().containers.get("home"))?.entityContext).toBe("about Ada");
	const said = await tenant().containers.change("play", { entityContext: "about games" }, world.now());
	world.advance(1_000);
	await addDone("again is fine", { containerTags: ["play", "home"], entityContext: "about games" });
	expect(inputs.at(-1)?.entityContext).toBe("about games");
	// It says the same again: nothing was changed.
	expect((await tenant().containers.get("play"))?.updatedAt).toEqual(said.updatedAt);
	expect(await addDone("last is fine", { entityContext: "about Ada" })).not.toHaveProperty("entityContext");
});

test("outside of the paths of a container nothing is remembered, and everything is found", async () => {
	await tenant().containers.change("home", { memoryFilesystemPaths: ["/memory/", "/user.md"] }, world.now());
	for (const [filepath, text] of [
		["/memory/a.md", "inside is remembered"],
		["/user.md", "itself is remembered"],
		["/user.md.bak", "beside is not"],
		["/logs/b.md", "outside is not"],
		[null, "nowhere is remembered"],
	] as const) {
		const done = await addDone(text, { filepath, dreaming: filepath === "/logs/b.md" ? "dynamic" : "instant" });
		expect(done).toMatchObject({ status: "done", dreamingStatus: "done" });
	}
	expect((await remembered("home")).toSorted()).toEqual(["inside is remembered", "itself is remembered", "nowhere is remembered"]);
	const both = await addDone("both is half", { filepath: "/logs/c.md", containerTags: ["home", "other"] });
	expect([await remembered("home"), await remembered("other")].flat().filter((text) => text === "both is half")).toHaveLength(1);
	await tenant().containers.change("home", { memoryFilesystemPaths: [] }, world.now());
	await service.revise(us, both.id, { content: { kind: "text", text: "both is new", mediaType: "text/plain" } });
	await settle();
	expect([await remembered("home"), await remembered("other")].flat().filter((text) => text.startsWith("both"))).toEqual(["both is new"]);
});

test("a document that moves while its memories are drawn is remembered where it is", async () => {
	const gate = Promise.withResolvers<void>();
	const slow: MemoryExtractor = {
		name: "slow",
		extract: async () => {
			await gate.promise;
			return [];
		},
	};
	stopping.abort();
	await working;
	parts = { ...parts, memoryExtractors: [...parts.memoryExtractors, slow] };
	const notifier = createNotifier();
	service = createService(parts, notifier);
	stopping = new AbortController();
	working = runWorker(parts, "test", 4, notifier, stopping.signal);
	for (const dreaming of ["instant", "dynamic"] as const) await addDone(`${dreaming} is moving`, { dreaming, customId: dreaming });
	for (const name of ["instant", "dynamic"]) await service.revise(us, name, { containerTags: ["away"] });
	await tenant().containers.remove("home");
	gate.resolve();
	await settle(60);
	expect((await remembered("away")).toSorted()).toEqual(["dynamic is moving", "instant is moving"]);
	expect(await remembered("home")).toEqual([]);
	expect(await tenant().containers.get("home")).toBeNull();
	expect((await service.get(us, "dynamic")).dreamingStatus).toBe("done");
});

test("a container says what its documents keep coming back to, at most once a minute, the last of a minute included", async () => {
	const description = async () => (await tenant().containers.get("home"))?.description;
	await addDone("harbour news\nthe ferry left the harbour", { taskType: "superrag" });
	await addDone("ferry times\nthe harbour sleeps", { dreaming: "dynamic" });
	const first = await description();
	expect(first).toContain("harbour");
	await addDone("lighthouse keeper", { dreaming: "dynamic" });
	await addDone("lighthouse lamp", { taskType: "superrag" });
	expect(await description()).toBe(first as string);
	for (let second = 0; second < 61; second++) {
		world.advance(1_000);
		await settle(3);
	}
	expect(await description()).toContain("lighthouse");
	expect(await description()).toContain("harbour");
	expect(await parts.storage.jobs.depth()).toEqual({ waiting: 0, leased: 0 });
});
