/** Reads PowerPoint presentations from before 2007, slide by slide, with notes and comments. Runs in the sandbox. */

import { inflateSync } from "node:zlib";
import { completeExtraction, type Engine, fail, limits, ServiceError, type Warning } from "cairn-memory";
import type { BytesInput, SandboxResult } from "../../blocks/content.ts";
import { createOutline } from "../../blocks/outline.ts";
import { guarded, openLegacyFile } from "../../cfb/legacy-file.ts";
import { objectFiles } from "../../ooxml/embedded-files.ts";
import { type Persisted, readPersisted } from "./persisted.ts";
import { type PptRecord, recordOf, recordsIn, types } from "./records.ts";
import { addSlide } from "./slide.ts";
import { textsIn } from "./text.ts";

const lists = { slides: 0, notes: 2 } as const;

interface Listed {
	readonly reference: number;
	readonly id: number;
	/** The texts of its placeholders, which the slide list contains. */
	readonly texts: Buffer;
}

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }, report) => {
	const file = openLegacyFile(bytes);
	const stream = file.stream("PowerPoint Document");
	if (stream === null) throw fail("FILE_BROKEN", "it has no stream PowerPoint Document");
	const persisted = guarded(() => readPersisted(stream, file.stream("Current User")));
	const listed = guarded(() => listOf(persisted.document, lists.slides));
	const notes = guarded(() => new Map(listOf(persisted.document, lists.notes).map(({ id, reference }) => [id, reference])));
	const outline = createOutline();
	const warnings: Warning[] = [];
	/** A slide is read once, however often it is listed. */
	const read = new Set<number>();
	let firstTitle: string | null = null;
	for (const [index, entry] of listed.entries()) {
		const place = { slide: index + 1 };
		try {
			if (read.has(entry.reference)) throw fail("FILE_BROKEN", "it is listed twice");
			read.add(entry.reference);
			const title = guarded(() => addSlide(slideOf(entry, notes, persisted), outline, place));
			firstTitle ??= title;
		} catch (thrown) {
			if (!(thrown instanceof ServiceError) || thrown.code !== "FILE_BROKEN") throw thrown;
			warnings.push({ code: "SLIDE_MISSING", message: `slide ${index + 1} could not be read`, place });
		}
		report({ done: index + 1, total: listed.length, unit: "slide" });
	}
	if (outline.blocks.length === 0 && warnings.length > 0) throw fail("FILE_BROKEN", "none of its slides could be read");
	const { title, description, language } = file.properties;
	return {
		extraction: completeExtraction({ blocks: outline.blocks, titles: [title, firstTitle], description, language, type: "text" }),
		warnings,
		attachments: objectFiles(objectsIn(stream), warnings),
	};
};
export default engine;

/** Embedded objects are records among the slides, mostly compressed: the length, then zlib data. */
function* objectsIn(stream: Buffer): Generator<Uint8Array> {
	for (const { type, instance, data } of recordsIn(stream)) {
		if (type !== types.object) continue;
		if (instance === 0) yield data;
		else {
			try {
				yield inflateSync(data.subarray(4), { maxOutputLength: limits.fileBytesMax });
			} catch {
				// Damaged, or larger than any file may be.
			}
		}
	}
}

/** In each list, an entry is followed by its texts. */
function listOf(document: PptRecord, kind: number): readonly Listed[] {
	for (const list of recordsIn(document.data)) {
		if (list.type !== types.slideList || list.instance !== kind) continue;
		const entries: { reference: number; id: number; from: number; to: number }[] = [];
		let at = 0;
		for (const record of recordsIn(list.data)) {
			const end = at + 8 + record.data.length;
			const last = entries.at(-1);
			if (record.type === types.slidePersist) entries.push({ reference: record.data.readUInt32LE(0), id: record.data.readUInt32LE(12), from: end, to: end });
			else if (last !== undefined) last.to = end;
			at = end;
		}
		return entries.map(({ reference, id, from, to }) => ({ reference, id, texts: list.data.subarray(from, to) }));
	}
	return [];
}

function slideOf({ reference, texts }: Listed, notes: ReadonlyMap<number, number>, { part }: Persisted) {
	const record = part(reference, types.slide);
	if (record === null) throw fail("FILE_BROKEN", "it is not where the list says");
	const facts = recordOf(record.data, types.slideAtom)?.data;
	const notesId = facts === undefined || facts.length < 20 ? 0 : facts.readUInt32LE(16);
	const show = recordOf(record.data, types.slideShowInfo)?.data;
	return {
		record,
		notes: part(notes.get(notesId) ?? -1, types.notes),
		outlined: textsIn(texts),
		isHidden: show !== undefined && show.length >= 12 && (show.readUInt16LE(10) & 4) !== 0,
	};
}
