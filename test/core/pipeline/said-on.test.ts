import { describe, expect, test } from "bun:test";
import { asId, type Document, type DocumentId, type Link, type Memory, type MemoryId } from "cairn";
import { saidLater, saidOn } from "../../../core/pipeline/said-on.ts";

const target = asId<MemoryId>("m".repeat(22));
const source = asId<DocumentId>("d".repeat(22));
const links: readonly Link[] = [{ relation: "updates", target }];
const came = new Date("2026-05-01T00:00:00Z");
const known = { id: target, createdAt: came, evidence: [{ document: source }] } as unknown as Memory;
const documents = (metadata: Document["metadata"]) => ({ get: async () => ({ metadata, createdAt: came }) as Document });

describe("the day a document names", () => {
	test.each([
		[{ documentDate: "2024-02-01" }, "2024-02-01T00:00:00.000Z"],
		[{ documentDate: 0 }, "1970-01-01T00:00:00.000Z"],
		[{ documentDate: "last spring" }, undefined],
		[{}, undefined],
	])("%j", (metadata, day) => {
		expect(saidOn({ metadata })?.toISOString()).toBe(day as string);
	});
});

describe("what was said later", () => {
	test("than an old letter stays", async () => {
		expect(await saidLater(links, [{ memory: known }], new Date("2024-02-01"), documents({}))).toBe(target);
	});

	test("counts by the day its own document names", async () => {
		expect(await saidLater(links, [{ memory: known }], new Date("2024-02-01"), documents({ documentDate: "2020-01-01" }))).toBeNull();
	});

	test("than what has no day of its own is nothing", async () => {
		expect(await saidLater(links, [{ memory: known }], null, documents({}))).toBeNull();
	});

	test("nothing is asked where nothing is replaced", async () => {
		expect(await saidLater([{ relation: "extends", target }], [{ memory: known }], new Date("2024-02-01"), documents({}))).toBeNull();
	});
});
