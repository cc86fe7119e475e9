import { describe, expect, test } from "bun:test";
import { type About, asId, type Link, type Memory, type MemoryId } from "cairn-memory";
import type { Document, DocumentId } from "cairn-memory/stores";
import { documentDateOf, findLaterMemory, withPublicationDate } from "../../../core/memories/document-date.ts";

const target = asId<MemoryId>("m".repeat(22));
const source = asId<DocumentId>("d".repeat(22));
const links: readonly Link[] = [{ relation: "updates", target }];
const came = new Date("2026-05-01T00:00:00Z");
const known = { id: target, createdAt: came, evidence: [{ document: source }] } as unknown as Memory;
const findingsWith = (about: About) => ({ type: "webpage" as const, title: null, summary: null, language: null, text: null, warnings: [], about });
const documents = (metadata: Document["metadata"], about: About = {}) => ({
	get: async () => ({ metadata, createdAt: came, findings: findingsWith(about) }) as unknown as Document,
});

describe("the day a document names", () => {
	test.each([
		[{ documentDate: "2024-02-01" }, "2024-02-01T00:00:00.000Z"],
		[{ documentDate: 0 }, "1970-01-01T00:00:00.000Z"],
		[{ documentDate: "last spring" }, undefined],
		[{}, undefined],
	])("%j", (metadata, day) => {
		expect(documentDateOf({ metadata, findings: findingsWith({}) })?.toISOString()).toBe(day as string);
	});

	test("is the day it came out, unless the client knows better", () => {
		const findings = findingsWith({ publishedAt: "2023-07-14" });
		expect(documentDateOf({ metadata: {}, findings })?.toISOString()).toBe("2023-07-14T00:00:00.000Z");
		expect(documentDateOf({ metadata: { documentDate: "2024-02-01" }, findings })?.toISOString()).toBe("2024-02-01T00:00:00.000Z");
	});

	test("stands in the metadata that is read for memories", () => {
		const metadata = { source: "url" };
		expect(withPublicationDate({ metadata, findings: findingsWith({ publishedAt: "2023-07-14" }) })).toEqual({ source: "url", documentDate: "2023-07-14" });
		expect(withPublicationDate({ metadata, findings: findingsWith({}) })).toBe(metadata);
	});
});

describe("what was said later", () => {
	test("than an old letter stays", async () => {
		expect(await findLaterMemory(links, [{ memory: known }], new Date("2024-02-01"), documents({}))).toBe(target);
	});

	test("counts by the day its own document names", async () => {
		expect(await findLaterMemory(links, [{ memory: known }], new Date("2024-02-01"), documents({ documentDate: "2020-01-01" }))).toBeNull();
	});

	test("counts by the day its own document came out", async () => {
		expect(await findLaterMemory(links, [{ memory: known }], new Date("2024-02-01"), documents({}, { publishedAt: "2020-01-01T00:00:00.000Z" }))).toBeNull();
	});

	test("than what has no day of its own is nothing", async () => {
		expect(await findLaterMemory(links, [{ memory: known }], null, documents({}))).toBeNull();
	});

	test("nothing is asked where nothing is replaced", async () => {
		expect(await findLaterMemory([{ relation: "extends", target }], [{ memory: known }], new Date("2024-02-01"), documents({}))).toBeNull();
	});
});
