/** The fields of an upload: what a browser leaves empty was not said, and what is no JSON is shown in the complaint. */

import { expect, test } from "bun:test";
import type { OrganisationId } from "cairn-memory";
import type { Caller } from "../../../../../core/model/caller.ts";
import { parseUpload } from "../../../../../server/wire/v3/documents/upload-request.ts";

const caller: Caller = { organisation: "2nJ8vQyT5hZrK1wXbC4dEf" as OrganisationId, role: "write", grants: null };
const file = { kind: "file", fileName: "a.txt", claimedMediaType: null, blob: "b", byteLength: 1 } as never;
const parse = (fields: Readonly<Record<string, string>>, who = caller) =>
	parseUpload(new Map(Object.entries(fields).map(([name, value]) => [name, [value]])), who);

test("empty fields are as good as none", () => {
	const names = ["containerTag", "containerTags", "customId", "metadata", "filepath", "taskType", "documentDate", "dreaming", "mimeType"];
	const empty = parse(Object.fromEntries(names.map((name) => [name, ""])));
	expect(empty.claimedMediaType).toBeNull();
	expect(empty.toRequest(file)).toEqual(parse({}).toRequest(file));
});

test("a key that is bound to a container puts a form with an empty one there", () => {
	const bound: Caller = { ...caller, grants: [{ containerTag: "ada", permission: "write" }] };
	expect(parse({ containerTag: "" }, bound).toRequest(file).containerTags).toEqual(["ada"]);
});

test("what is said is taken", () => {
	const { claimedMediaType, toRequest } = parse({ mimeType: "text/csv", metadata: '{"author":"Ada"}', containerTags: '["a","b"]' });
	expect(claimedMediaType).toBe("text/csv");
	expect(toRequest(file)).toMatchObject({ containerTags: ["a", "b"], metadata: { author: "Ada", source: "upload" } });
});

test("what should be JSON and is none is shown", () => {
	expect(() => parse({ metadata: "author: Ada" })).toThrow('metadata should be JSON, not the text "author: Ada"');
	expect(() => parse({ containerTags: "[a" })).toThrow('containerTags should be JSON, not the text "[a"');
});
