/** A profile over the RAM storage: whose buckets there are, that memories follow when these change, and that nothing is shown beyond its bounds. */

import { beforeEach, describe, expect, test } from "bun:test";
import { asId, limits, type OrganisationId } from "cairn-memory";
import type { Caller, ProfileBucket } from "cairn-memory/stores";
import { createMemoryService, type MemoryService } from "../../../core/memories/memory-service.ts";
import type { Parts } from "../../../core/parts.ts";
import { createProfileService, type Profile, type ProfileService } from "../../../core/profile/profile-service.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import { runWorker } from "../../../core/service.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createTestWorld, settle, type TestWorld } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");
const us: Caller = { organisation, role: "admin", grants: null };
const forever = new AbortController().signal;

let world: TestWorld;
let parts: Parts;
let memories: MemoryService;
let profiles: ProfileService;
beforeEach(() => {
	world = createTestWorld();
	parts = createTestParts(world);
	memories = createMemoryService(parts, limits.undoMs);
	profiles = createProfileService(parts);
});

async function write(...texts: readonly string[]): Promise<void> {
	for (let from = 0; from < texts.length; from += 100) {
		const batch = texts.slice(from, from + 100);
		const written = batch.map((text) => ({ text, isStatic: false, metadata: {}, forgetAfter: null, forgetReason: null }));
		await memories.create(us, "ada", written, forever);
		world.advance(1);
	}
}

const read = (caller = us): Promise<Profile> =>
	profiles.profile(caller, { containerTag: "ada", include: ["static", "dynamic", "buckets"], buckets: null }, forever);
const tenant = () => parts.storage.organisation(organisation);
const always = () => ({ expected: null, expiresAt: null, now: world.now() });
const configure = (buckets: readonly ProfileBucket[]) =>
	tenant().records.put("settings", "settings", { profileBuckets: buckets.map(({ key, description }) => ({ key, description })) }, always());

describe("buckets", () => {
	test("are the organisation's, then the container's own; the organisation's description wins", async () => {
		expect(await profiles.buckets(us, "ada")).toEqual([{ key: "preferences", description: expect.any(String) }]);
		await tenant().containers.change(
			"ada",
			{
				profileBuckets: [
					{ key: "pets", description: "Dogs" },
					{ key: "work", description: "Their" },
				],
			},
			world.now(),
		);
		expect((await profiles.buckets(us, "ada")).map(({ key }) => key)).toEqual(["pets", "work"]);
		await configure([{ key: "work", description: "Ours" }]);
		expect(await profiles.buckets(us, "ada")).toEqual([
			{ key: "work", description: "Ours" },
			{ key: "pets", description: "Dogs" },
		]);
		expect((await profiles.buckets(us, "ben")).map(({ key }) => key)).toEqual(["work"]);
	});

	test("hold for a key that reaches one container only, and for one that may only read", async () => {
		await configure([{ key: "boats", description: "Sailing and rowing" }]);
		await write("Ada goes rowing");
		const bound: Caller = { organisation, role: "read", grants: [{ containerTag: "ada", permission: "read" }] };
		expect((await read(bound)).buckets).toEqual({ boats: ["Ada goes rowing"] });
	});

	test("malformed settings count as none", async () => {
		for (const value of [null, 7, [], { profileBuckets: "x" }, { profileBuckets: [7, {}, null] }]) {
			await tenant().records.put("settings", "settings", value, always());
			expect((await profiles.buckets(us, "ada")).map(({ key }) => key)).toEqual(["preferences"]);
		}
	});
});

test("memories follow when the buckets change", async () => {
	await write("Ada sails a dinghy", "Ada walks her dog");
	await configure([{ key: "pets", description: "Dogs and cats" }]);
	expect((await read()).buckets).toEqual({ pets: ["Ada walks her dog"] });
	await configure([
		{ key: "pets", description: "Boats that one sails" },
		{ key: "empty", description: "" },
	]);
	expect((await read()).buckets).toEqual({ pets: ["Ada sails a dinghy"], empty: [] });
});

test("the newest come first, and only so many", async () => {
	const texts = Array.from({ length: 120 }, (_, i) => `Ada likes number ${i}, and Ada likes it well`);
	for (const text of texts) await write(text);
	const { static: lasting, dynamic, buckets } = await read();
	expect(lasting).toEqual([]);
	expect(dynamic).toEqual(texts.toReversed().slice(0, limits.profileDynamicMax));
	expect(buckets?.["preferences"]).toEqual(texts.toReversed().slice(0, limits.memoriesPerProfileBucketMax));
});

test("of many that are not sorted the newest are, and a job sorts the rest", async () => {
	const oldest = "Ada prefers oats";
	await write(oldest, ...Array.from({ length: 900 }, (_, i) => `Ada counts to ${i}`));
	expect((await read()).buckets).toEqual({ preferences: [] });
	const stopping = new AbortController();
	const working = runWorker(parts, "test", 1, createNotifier(), stopping.signal);
	await settle(60);
	expect((await read()).buckets).toEqual({ preferences: [oldest] });
	stopping.abort();
	await working;
});
