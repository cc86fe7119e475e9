/** Reads PowerPoint presentations from before 2007, slide by slide, with notes and comments. Runs in the sandbox. */

import { inflateSync } from "node:zlib";
import { type Engine, fail, limits, ServiceError, type Warning } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { BytesInput, SandboxResult } from "../../blocks/content.ts";
import { createOutline } from "../../blocks/outline.ts";
import { openLegacyFile, withDamageErrors } from "../../cfb/legacy-file.ts";
import { objectFiles } from "../../ooxml/embedded-files.ts";
import { type Persisted, readPersisted } from "./persisted.ts";
import { type PptRecord, recordOf, recordsIn, types } from "./records.ts";
import { addSlide } from "./slide.ts";
import { textsIn } from "./text.ts";

const listKinds = { slides: 0, notes: 2 } as const;

interface ListEntry {
	readonly reference: number;
	readonly id: number;
	/** Records with the texts of its placeholders, which are stored in the slide list. */
	readonly texts: Buffer;
}

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }, report) => {
	const file = openLegacyFile(bytes);
	const stream = file.stream("PowerPoint Document");
	if (stream === null) throw fail("FILE_BROKEN", "it has no stream PowerPoint Document");
	const persisted = withDamageErrors(() => readPersisted(stream, file.stream("Current User")));
	const entries = withDamageErrors(() => readList(persisted.document, listKinds.slides));
	const notes = withDamageErrors(() => new Map(readList(persisted.document, listKinds.notes).map(({ id, reference }) => [id, reference])));
	const outline = createOutline();
	const warnings: Warning[] = [];
	/** References of the slides already read: a slide is read once, however often it is listed. */
	const readSlides = new Set<number>();
	let firstTitle: string | null = null;
	for (const [index, entry] of entries.entries()) {
		const place = { slide: index + 1 };
		try {
			if (readSlides.has(entry.reference)) throw fail("FILE_BROKEN", "it is listed twice");
			readSlides.add(entry.reference);
			const title = withDamageErrors(() => addSlide(slideOf(entry, notes, persisted), outline, place));
			firstTitle ??= title;
		} catch (thrown) {
			if (!(thrown instanceof ServiceError) || thrown.code !== "FILE_BROKEN") throw thrown;
			warnings.push({ code: "SLIDE_MISSING", message: `slide ${index + 1} could not be read`, place });
		}
		report({ done: index + 1, total: entries.length, unit: "slide" });
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

/** Embedded objects. They are records among the slides, mostly compressed: the length in four bytes, then zlib data. */
function* objectsIn(stream: Buffer): Generator<Uint8Array> {
	for (const { type, instance, data } of recordsIn(stream)) {
		if (type !== types.object) continue;
		if (instance === 0) yield data;
		else {
			try {
				yield inflateSync(data.subarray(4), { maxOutputLength: limits.fileBytesMax });
			} catch {
				// The object is damaged, or larger than any file may be.
			}
		}
	}
}

/** Reads the list of slides or of notes. Each entry is followed by its texts. */
function readList(document: PptRecord, listKind: number): readonly ListEntry[] {
	for (const list of recordsIn(document.data)) {
		if (list.type !== types.slideList || list.instance !== listKind) continue;
		const ranges: { reference: number; id: number; from: number; to: number }[] = [];
		let offset = 0;
		for (const record of recordsIn(list.data)) {
			const end = offset + 8 + record.data.length;
			const last = ranges.at(-1);
			if (record.type === types.slidePersist) ranges.push({ reference: record.data.readUInt32LE(0), id: record.data.readUInt32LE(12), from: end, to: end });
			else if (last !== undefined) last.to = end;
			offset = end;
		}
		return ranges.map(({ reference, id, from, to }) => ({ reference, id, texts: list.data.subarray(from, to) }));
	}
	return [];
}

function slideOf({ reference, texts }: ListEntry, notes: ReadonlyMap<number, number>, { part }: Persisted) {
	const record = part(reference, types.slide);
	if (record === null) throw fail("FILE_BROKEN", "it is not where the slide list says");
	const slideAtom = recordOf(record.data, types.slideAtom)?.data;
	const notesId = slideAtom === undefined || slideAtom.length < 20 ? 0 : slideAtom.readUInt32LE(16);
	const show = recordOf(record.data, types.slideShowInfo)?.data;
	return {
		record,
		notes: part(notes.get(notesId) ?? -1, types.notes),
		outlineTexts: textsIn(texts),
		isHidden: show !== undefined && show.length >= 12 && (show.readUInt16LE(10) & 4) !== 0,
	};
}
