import { describe, expect, test } from "bun:test";
import { type About, asId, type Link, type Memory, type MemoryId } from "cairn-memory";
import type { Document, DocumentId } from "cairn-memory/stores";
import { documentDateOf, findLaterMemory, referenceDateOf, withPublicationDate } from "../../../core/memories/document-date.ts";

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

describe("the day that today means", () => {
	const text = { kind: "text", text: "", mediaType: "text/plain" } as const;
	const file = { kind: "file", blob: "b", fileName: null, claimedMediaType: null, byteLength: 1, sha256: "" } as const;
	const page = { kind: "address", url: "https://example.org" } as const;
	const day = (content: Document["content"], metadata: Document["metadata"] = {}, about: About = {}, customId: string | null = null) =>
		referenceDateOf({ content, metadata, customId, createdAt: came, findings: findingsWith(about) });

	test("is the day a text was sent", () => {
		expect(day(text)).toBe(came);
	});

	test.each([
		["a file", file, null],
		["a page", page, null],
		["a text that a connection brought", text, `connection/${"c".repeat(22)}/note`],
	])("is unknown for %s", (_, content, customId) => {
		expect(day(content, {}, {}, customId)).toBeNull();
	});

	test("is the one that the client or the source names", () => {
		expect(day(file, { documentDate: "2024-02-01" })).toEqual(new Date("2024-02-01"));
		expect(day(text, { documentDate: "2024-02-01" })).toEqual(new Date("2024-02-01"));
		expect(day(page, {}, { publishedAt: "2023-07-14" })).toEqual(new Date("2023-07-14"));
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
