/** A lock that several programs share: one has it at a time, the end of a program ends it, and who is alone writes nothing. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import { limits } from "../../../core/model/limits.ts";
import { createSharedMutex } from "../../../core/runtime/keyed-mutex.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createFastWorld } from "../../doubles/fast-world.ts";

const organisation = asId<OrganisationId>("organisationAAAAAAAAAA");

/** As many programs as wanted, on one storage. Time runs a hundred times faster. */
function scene(manyWriters: boolean) {
	const world = createFastWorld(100);
	const storage = { ...ramStorage(), supports: { manyWriters, durable: false } };
	const { records } = storage.organisation(organisation);
	const locks = () => records.list("lock", null, 10, world.steadyNow());
	return { world, locks, records, program: () => createSharedMutex({ storage, world }) };
}

test("programs that want one key take turns, and others do not wait", async () => {
	const { program, world, locks } = scene(true);
	const programs = [program(), program(), program()];
	let inside = 0;
	let most = 0;
	const work = async () => {
		most = Math.max(most, ++inside);
		await world.sleep(50, new AbortController().signal);
		inside--;
	};
	await Promise.all([...programs, ...programs].map((oneAtATime) => oneAtATime("memories", work, organisation)));
	expect(most).toBe(1);
	await Promise.all(programs.map((oneAtATime, i) => oneAtATime(`other ${i}`, work, organisation)));
	expect(most).toBeGreaterThan(1);
	expect(await locks()).toEqual([]);
});

test("work that takes longer than a lease keeps its lock", async () => {
	const { program, world } = scene(true);
	const order: string[] = [];
	const long = program()(
		"merges",
		async () => {
			order.push("begins");
			await world.sleep(limits.leaseMs * 2.5, new AbortController().signal);
			order.push("ends");
		},
		organisation,
	);
	await program()("merges", async () => void order.push("next"), organisation);
	await long;
	expect(order).toEqual(["begins", "ends", "next"]);
});

test("the lock of a program that has ended expires", async () => {
	const { program, world, records } = scene(true);
	const leftBehind = { expected: 0, expiresAt: new Date(world.steadyNow().getTime() + limits.leaseMs), now: world.steadyNow() };
	await records.put("lock", "merges", {}, leftBehind);
	let ran = false;
	const run = async () => {
		ran = true;
	};
	await program()("merges", run, organisation);
	expect(ran).toBe(true);
});

test("what fails gives its lock back", async () => {
	const { program, locks } = scene(true);
	const failing = program()("merges", () => Promise.reject(new Error("no")), organisation);
	expect(await failing.catch((thrown: Error) => thrown.message)).toBe("no");
	expect(await locks()).toEqual([]);
});

test("a program that is alone writes nothing", async () => {
	const { program, locks } = scene(false);
	await program()("merges", async () => expect(await locks()).toEqual([]), organisation);
});
