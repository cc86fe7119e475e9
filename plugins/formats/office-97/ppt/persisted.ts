/** Finds the parts of a presentation. Every save appends only what changed, with a directory of offsets. */

import { fail } from "cairn-memory";
import { type PptRecord, recordAt, types } from "./records.ts";

/** PowerPoint saves the whole file from time to time, so real files have fewer edits. */
const editsMax = 10_000;
const encrypted = 0xf3d1c4df;

export interface Persisted {
	readonly document: PptRecord;
	/** The part with this persist id and record type; null when there is none. */
	readonly part: (reference: number, type: number) => PptRecord | null;
}

/** @throws FILE_ENCRYPTED, FILE_BROKEN */
export function readPersisted(stream: Buffer, currentUser: Buffer | null): Persisted {
	if (currentUser !== null && currentUser.length >= 20 && currentUser.readUInt32LE(12) === encrypted) throw fail("FILE_ENCRYPTED");
	const places = new Map<number, number>();
	let documentAt: number | null = null;
	let edit = currentUser === null || currentUser.length < 20 ? 0 : currentUser.readUInt32LE(16);
	for (let edits = 0; edit > 0 && edits < editsMax; edits++) {
		const atom = recordAt(stream, edit);
		if (atom?.type !== types.userEdit || atom.data.length < 28) break;
		// A record of this length refers to an encryption key.
		if (atom.data.length >= 32) throw fail("FILE_ENCRYPTED");
		readPlaces(stream, atom.data.readUInt32LE(12), places);
		documentAt ??= atom.data.readUInt32LE(16);
		edit = atom.data.readUInt32LE(8);
	}
	const part = (reference: number, type: number) => {
		const at = places.get(reference);
		const record = at === undefined ? null : recordAt(stream, at);
		return record?.type === type ? record : null;
	};
	const document = (documentAt === null ? null : part(documentAt, types.document)) ?? firstDocument(stream);
	if (document === null) throw fail("FILE_BROKEN", "its list of slides is lost");
	return { document, part };
}

/** Later entries override earlier ones. */
function readPlaces(stream: Buffer, at: number, places: Map<number, number>): void {
	const list = recordAt(stream, at);
	if (list?.type !== types.persistDirectory) return;
	for (let next = 0; next + 4 <= list.data.length; ) {
		const head = list.data.readUInt32LE(next);
		const [first, count] = [head & 0xfffff, head >>> 20];
		for (let index = 0; index < count && next + 8 + index * 4 <= list.data.length; index++) {
			if (!places.has(first + index)) places.set(first + index, list.data.readUInt32LE(next + 4 + index * 4));
		}
		next += 4 + count * 4;
	}
}

function firstDocument(stream: Buffer): PptRecord | null {
	for (let at = 0; ; ) {
		const record = recordAt(stream, at);
		if (record === null) return null;
		if (record.type === types.document) return record;
		at += 8 + record.data.length;
	}
}
