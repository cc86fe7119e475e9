/** One circuit for all documents: when it opens, for how long, who may try, and what counts as the question's own fault. */

import { beforeEach, expect, test } from "bun:test";
import { fail, ServiceError } from "cairn-memory";
import { type Circuit, createCircuit } from "../../../core/language/circuit.ts";
import { limits } from "../../../core/model/limits.ts";
import { createTestWorld, type TestWorld } from "../../doubles/world.ts";

let world: TestWorld;
let circuit: Circuit;
beforeEach(() => {
	world = { ...createTestWorld(), random: () => 0 };
	circuit = createCircuit("m", world);
});

const outage = (ms?: number) => (ms === undefined ? fail("MODEL_UNAVAILABLE", "m", "x") : fail("MODEL_UNAVAILABLE", "m", "x").after(ms));

function thrownBy(run: () => unknown): ServiceError {
	try {
		run();
	} catch (thrown) {
		if (thrown instanceof ServiceError) return thrown;
		throw thrown;
	}
	throw new Error("nothing was thrown");
}

test("a failure closes the way for all, and longer each time", () => {
	const pauses: (number | null)[] = [];
	for (let i = 0; i < 12; i++) {
		const told = circuit.begin(`q${i}`).failed(outage());
		pauses.push(told.retryAfterMs);
		expect(thrownBy(() => circuit.begin("other"))).toMatchObject({ code: "MODEL_UNAVAILABLE", retryAfterMs: told.retryAfterMs });
		world.advance(told.retryAfterMs ?? 0);
	}
	expect(pauses.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
	expect(pauses.at(-1)).toBe(limits.retryDelayMaxMs);
});

test("what the provider asks to wait is waited, up to an hour", () => {
	expect(circuit.begin("a").failed(outage(30_000)).retryAfterMs).toBe(30_000);
	world.advance(29_999);
	expect(thrownBy(() => circuit.begin("a")).code).toBe("MODEL_UNAVAILABLE");
	world.advance(1);
	expect(circuit.begin("a").failed(outage(99 * 60 * 60_000)).retryAfterMs).toBe(limits.modelPauseMaxMs);
});

test("those that failed together count as one failure", () => {
	const calls = ["a", "b", "c", "d"].map((print) => circuit.begin(print));
	for (const call of calls) call.failed(outage());
	world.advance(2_000);
	expect(circuit.begin("a").failed(outage()).retryAfterMs).toBe(4_000);
});

test("after a pause one tries, the others wait for how it ends, and its success opens the way for all", () => {
	circuit.begin("a").failed(outage());
	world.advance(2_000);
	const trying = circuit.begin("a");
	expect(thrownBy(() => circuit.begin("b")).retryAfterMs).toBe(1_000);
	trying.succeeded();
	for (const print of ["b", "c"]) circuit.begin(print).succeeded();
	expect(circuit.begin("d").failed(outage()).retryAfterMs).toBe(2_000);
});

test("a try that was abandoned leaves the place to another", () => {
	circuit.begin("a").failed(outage());
	world.advance(2_000);
	circuit.begin("a").abandoned();
	expect(() => circuit.begin("b")).not.toThrow();
});

test("a success that began before the trouble does not end it", () => {
	const early = circuit.begin("early");
	circuit.begin("a").failed(outage());
	early.succeeded();
	world.advance(2_000);
	expect(circuit.begin("a").failed(outage()).retryAfterMs).toBe(4_000);
});

test("a question that fails while others are answered is declined at the third time", () => {
	const codes: string[] = [];
	for (let i = 0; i < 3; i++) {
		codes.push(circuit.begin("poison").failed(outage()).code);
		world.advance(limits.retryDelayMaxMs);
		circuit.begin(`fine ${i}`).succeeded();
	}
	expect(codes).toEqual(["MODEL_UNAVAILABLE", "MODEL_UNAVAILABLE", "MODEL_DECLINED"]);
	expect(() => circuit.begin("next")).not.toThrow();
});

test("being too busy is never the question's fault", () => {
	for (let i = 0; i < 10; i++) {
		expect(circuit.begin("a").failed(outage(0)).code).toBe("MODEL_UNAVAILABLE");
		world.advance(limits.retryDelayMaxMs);
		circuit.begin(`fine ${i}`).succeeded();
	}
});

test("in an outage the same question may fail as often as it likes", () => {
	for (let i = 0; i < 20; i++) {
		expect(circuit.begin("a").failed(outage()).code).toBe("MODEL_UNAVAILABLE");
		world.advance(limits.retryDelayMaxMs);
	}
});

test("a refusal holds for a minute without another question, and is said in the log once", () => {
	circuit.begin("a").failed(fail("MODEL_REFUSED", "m", "a wrong key"));
	expect(thrownBy(() => circuit.begin("b"))).toMatchObject({ code: "MODEL_REFUSED", retryAfterMs: null });
	expect(world.lines.map(({ level }) => level)).toEqual(["error"]);
	world.advance(60_000);
	circuit.begin("b").succeeded();
});

test("a question that is declined is nobody else's trouble", () => {
	expect(circuit.begin("a").failed(fail("MODEL_DECLINED", "m", "x")).code).toBe("MODEL_DECLINED");
	expect(() => circuit.begin("b")).not.toThrow();
});
