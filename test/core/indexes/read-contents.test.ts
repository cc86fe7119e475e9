/** Contents that searches have read are not read again: only where they are, which may change, is asked each time. */

import { expect, test } from "bun:test";
import { type ChunkId, wholeOrganisation } from "cairn-memory/stores";
import { readContents, readingOnce } from "../../../core/indexes/read-contents.ts";
import type { TextSource } from "../../../core/ports/index-source.ts";

const ids = ["a", "b", "c"] as unknown as readonly ChunkId[];

/** A source whose texts are named after their ids, and that notes which it had to read. */
function bench(bytesOf = ({ text }: { readonly text: string }) => text.length) {
	const read: string[] = [];
	const gone = new Set<string>();
	const chunksIn: TextSource["chunksIn"] = async (asked, _scope, known) =>
		asked
			.filter((id) => !gone.has(id))
			.map((id) => {
				const text = known?.get(id)?.text ?? `text ${id}`;
				if (known?.has(id) !== true) read.push(id);
				return { id, text, document: "d" as never, position: 0 };
			});
	const contentsOf = readContents<{ readonly text: string }>(({ text }) => ({ text }), bytesOf);
	const source = (room: string) => readingOnce({ chunksIn } as TextSource, contentsOf(room));
	return { read, gone, source, contentsOf };
}

test("a content is read once, and what is gone is not found by it", async () => {
	const { read, gone, source } = bench();
	await source("room").chunksIn(ids.slice(0, 2), wholeOrganisation);
	gone.add("a");
	const found = await source("room").chunksIn(ids, wholeOrganisation);
	expect(found.map(({ id, text }) => `${id}: ${text}`)).toEqual(["b: text b", "c: text c"]);
	expect(read).toEqual(["a", "b", "c"]);
});

test("another organisation or space reads its own", async () => {
	const { read, source } = bench();
	for (const room of ["one", "other", "one"]) await source(room).chunksIn(ids.slice(0, 1), wholeOrganisation);
	expect(read).toEqual(["a", "a"]);
});

test("it keeps so many bytes, those that were read last", async () => {
	const { source, contentsOf } = bench(() => 6 * 1024 * 1024);
	for (const id of ids) await source("room").chunksIn([id], wholeOrganisation);
	expect([...contentsOf("room").of(ids).keys()]).toEqual(["b", "c"]);
});
