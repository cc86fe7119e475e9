/** The way to the model: so many at once, in the order of asking, no longer than allowed, whatever the plugin does. */

import { expect, test } from "bun:test";
import { fail, type LanguageModel, type ModelRequest, type ServiceError } from "cairn-memory";
import { createModelGateway } from "../../../core/language/model-gateway.ts";
import { createSemaphore } from "../../../core/language/semaphore.ts";
import { modelUses } from "../../../core/settings/model-uses.ts";
import { createStep } from "../../doubles/step.ts";
import { createTestWorld, settle } from "../../doubles/world.ts";

const question: ModelRequest = { system: "", prompt: "", schema: {}, outputTokensMax: 1 };
const usage = { inputTokens: 1, outputTokens: 1 };
const never = new AbortController().signal;

function gatewayTo(generate: LanguageModel["generate"], timeoutMs = 5_000) {
	const world = createTestWorld();
	const terms = {
		uses: modelUses,
		callsPerDocumentMax: 8,
		concurrentCallsMax: 2,
		timeoutMs,
		tokensPerDay: null,
		containerTokensPerDay: null,
		keyTokensPerDay: null,
		prices: null,
	};
	return { world, gateway: createModelGateway({ name: "p", model: "m", generate }, terms, (text) => text, world) };
}

const codeOf = (promise: Promise<unknown>) => promise.then(() => "answered").catch((thrown: ServiceError) => thrown.code ?? thrown);

test("no more at once than agreed, the others in the order of asking", async () => {
	const order: string[] = [];
	const ends: (() => void)[] = [];
	const { gateway } = gatewayTo(() => new Promise((resolve) => ends.push(() => resolve({ object: {}, usage }))));
	const all = ["a", "b", "c", "d"].map((print) => gateway.generate(question, print, createStep()).then(() => order.push(print)));
	await settle();
	expect(ends.length).toBe(2);
	for (let i = 0; i < 4; i++) {
		ends[i]?.();
		await settle();
		expect(ends.length).toBe(Math.min(4, 3 + i));
	}
	await Promise.all(all);
	expect(order).toEqual(["a", "b", "c", "d"]);
});

test("who is told to stop while waiting gives up its place", async () => {
	const semaphore = createSemaphore(1);
	const { promise, resolve } = Promise.withResolvers<void>();
	const first = semaphore(never, () => promise);
	const stopping = new AbortController();
	const second = semaphore(stopping.signal, async () => "second").catch((reason: unknown) => reason);
	const third = semaphore(never, async () => "third");
	stopping.abort("enough");
	expect(await second).toBe("enough");
	resolve();
	await first;
	expect(await third).toBe("third");
	expect(await semaphore(never, async () => "again")).toBe("again");
});

test("a plugin that does not listen is left behind, and its place is free", async () => {
	const { gateway } = gatewayTo(() => new Promise(() => undefined), 30);
	expect(await codeOf(gateway.generate(question, "a", createStep()))).toBe("MODEL_UNAVAILABLE");
});

test("a plugin that breaks takes no document with it", async () => {
	const { gateway, world } = gatewayTo(() => Promise.reject(new TypeError("x is undefined")));
	expect(await codeOf(gateway.generate(question, "a", createStep()))).toBe("MODEL_DECLINED");
	expect(world.lines).toMatchObject([{ level: "error", message: "the plugin of the language model failed" }]);
});

test("being stopped is no failure of the provider", async () => {
	const stopping = new AbortController();
	const { gateway } = gatewayTo(
		(_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(fail("MODEL_UNAVAILABLE", "p", "cut off")))),
	);
	const asked = gateway.generate(question, "a", createStep(stopping.signal)).catch((reason: unknown) => reason);
	await settle();
	stopping.abort("the server stops");
	expect(await asked).toBe("the server stops");
	const again = gateway.generate(question, "b", createStep(AbortSignal.timeout(20)));
	expect(await codeOf(again)).not.toBe("MODEL_UNAVAILABLE");
});
