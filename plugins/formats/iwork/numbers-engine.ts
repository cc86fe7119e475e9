/** Reads Numbers since 2017: every table of every sheet, each row with its header. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { createExtractionWriter } from "cairn-memory/words";
import type { BytesInput, PackedSandboxResult } from "../blocks/content.ts";
import { createLongOutline, type Outline } from "../blocks/outline.ts";
import { openZip } from "../zip/zip-archive.ts";
import { openIndex } from "./index-zip.ts";
import { type ObjectStore, readObjects, referencesIn, textOf } from "./object-store.ts";
import { createTableReader, tableTypes } from "./tables.ts";

const types = { document: 1, sheet: 2 } as const;

const engine: Engine<BytesInput, PackedSandboxResult> = async ({ bytes }) => {
	const writer = createExtractionWriter();
	const outline = createLongOutline(writer);
	addSheets(readObjects(openIndex(openZip(bytes)), new Set([...Object.values(types), ...tableTypes])), outline, writer.isFull);
	if (outline.blocks.every(({ kind }) => kind === "heading")) throw fail("CONTENT_EMPTY");
	return { extraction: writer.complete({ titles: [], type: "text" }), warnings: [...writer.warnings()] };
};
export default engine;

function addSheets(objects: ObjectStore, outline: Outline, isFull: () => boolean): void {
	const document = objects.first(types.document);
	if (document === null) throw fail("FILE_BROKEN", "it has no document");
	const tables = createTableReader(objects, outline, isFull);
	for (const id of new Set(referencesIn(document, 1))) {
		const sheet = objects.get(id, types.sheet);
		if (sheet === null) continue;
		const name = textOf(sheet, 1);
		outline.heading(1, name, { place: { sheet: name } });
		// The numbers of rows of a sheet do not decrease, so only its first table has them.
		let isFirst = true;
		for (const info of new Set(referencesIn(sheet, 2))) {
			const placeOf = isFirst ? (row: number) => ({ sheet: name, row }) : () => ({ sheet: name });
			if (tables.add(info, placeOf)) isFirst = false;
		}
	}
}
