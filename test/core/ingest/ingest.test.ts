/** The way of a document: its stages in order, its status shown, and every failure with the name of its stage. */

import { expect, test } from "bun:test";
import { fail } from "cairn-memory";
import type { DocumentStatus } from "cairn-memory/stores";
import { finish, ingest, type StageFailure, type Stages } from "../../../core/ingest/ingest.ts";
import { createStep } from "../../doubles/step.ts";
import { settle } from "../../doubles/world.ts";

type Name = keyof Stages;
type Stage = (given: never, step: { readonly signal: AbortSignal }) => Promise<unknown>;

/** Each stage hands on its own name; those of `instead` do something else. */
function bench(instead: Partial<Record<Name, Stage>> = {}) {
	const ran: string[] = [];
	const shown: DocumentStatus[] = [];
	const stage = (name: Name) => async (given: unknown, step: unknown) => {
		ran.push(`${name} of ${String(given)}`);
		return (await instead[name]?.(given as never, step as never)) ?? name;
	};
	const names: readonly Name[] = ["extract", "chunk", "embed", "index", "remember"];
	const stages = Object.fromEntries(names.map((name) => [name, stage(name)])) as unknown as Stages;
	return { ran, shown, stages, enter: async (status: DocumentStatus) => void shown.push(status) };
}

const failureOf = (running: Promise<unknown>) =>
	running.then(
		() => null,
		(thrown: unknown) => thrown as StageFailure,
	);

test("each stage is given what the one before it has made, and the last status is done", async () => {
	const { ran, shown, stages, enter } = bench();
	await ingest("file" as never, stages, enter, createStep());
	expect(ran).toEqual(["extract of file", "chunk of extract", "embed of chunk", "index of embed", "remember of index"]);
	expect(shown.at(-1)).toBe("done");
});

test("a failure names its stage and keeps its code; what comes after does not run, and done is never shown", async () => {
	const { ran, shown, stages, enter } = bench({
		embed: async () => {
			throw fail("FILE_BROKEN", "it says so");
		},
	});
	expect(await failureOf(ingest("file" as never, stages, enter, createStep()))).toMatchObject({ stage: "embedding", reason: { code: "FILE_BROKEN" } });
	expect(ran).toHaveLength(3);
	expect(shown).not.toContain("done");
});

test("what a plugin throws that is none of our errors is a fault of the stage, with its cause", async () => {
	const thrown = new TypeError("of the plugin");
	const { stages, enter } = bench({
		chunk: async () => {
			throw thrown;
		},
	});
	expect(await failureOf(ingest("file" as never, stages, enter, createStep()))).toMatchObject({
		stage: "chunking",
		reason: { code: "STAGE_FAILED", cause: thrown },
	});
});

test("a failure is handed on only when the status before it is written, which would hide it", async () => {
	const gate = Promise.withResolvers<void>();
	const order: string[] = [];
	const { stages } = bench({
		extract: async () => {
			order.push("failed");
			throw fail("FILE_BROKEN", "it says so");
		},
	});
	const running = failureOf(ingest("file" as never, stages, () => gate.promise.then(() => void order.push("written")), createStep()));
	const handedOn = running.then(() => order.push("handed on"));
	await settle();
	gate.resolve();
	await handedOn;
	expect(order).toEqual(["failed", "written", "handed on"]);
});

test("whoever stops does not wait for a stage that hangs, and the stage is stopped too", async () => {
	const stopping = new AbortController();
	let signal: AbortSignal | undefined;
	const { stages, enter } = bench({
		extract: (_given, step) => {
			signal = step.signal;
			stopping.abort(new Error("the server stops"));
			return new Promise(() => undefined);
		},
	});
	expect(String((await failureOf(ingest("file" as never, stages, enter, createStep(stopping.signal))))?.reason.cause)).toContain("the server stops");
	expect(signal?.aborted).toBe(true);
});

test("a revision that is gone begins no further stage", async () => {
	const { ran, stages } = bench();
	const gone = async () => {
		throw fail("DOCUMENT_SUPERSEDED", "1111111111111111111111");
	};
	expect(await failureOf(ingest("file" as never, stages, gone, createStep()))).toMatchObject({ reason: { code: "DOCUMENT_SUPERSEDED" } });
	expect(ran.length).toBeLessThan(5);
});

test("what an earlier try has published is only remembered", async () => {
	const { ran, shown, stages, enter } = bench();
	await finish("revision" as never, stages, enter, createStep());
	expect([ran, shown.at(-1)]).toEqual([["remember of revision"], "done"]);
});
