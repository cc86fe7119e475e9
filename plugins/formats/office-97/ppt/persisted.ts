/** Finds the parts of a presentation. Every save appends the parts that changed, with a directory of their offsets. */

import { fail } from "cairn-memory";
import { type PptRecord, recordAt, types } from "./records.ts";

/** Real files have fewer edits, since PowerPoint saves the whole file from time to time. */
const editsMax = 10_000;
const encryptedToken = 0xf3d1c4df;

export interface Persisted {
	readonly document: PptRecord;
	/** The part with this persist id and record type; null if there is none. */
	readonly part: (reference: number, type: number) => PptRecord | null;
}

/** @throws FILE_ENCRYPTED, FILE_BROKEN */
export function readPersisted(stream: Buffer, currentUser: Buffer | null): Persisted {
	if (currentUser !== null && currentUser.length >= 20 && currentUser.readUInt32LE(12) === encryptedToken) throw fail("FILE_ENCRYPTED");
	const offsets = new Map<number, number>();
	let documentReference: number | null = null;
	let editOffset = currentUser === null || currentUser.length < 20 ? 0 : currentUser.readUInt32LE(16);
	for (let editCount = 0; editOffset > 0 && editCount < editsMax; editCount++) {
		const atom = recordAt(stream, editOffset);
		if (atom?.type !== types.userEdit || atom.data.length < 28) break;
		// A record of this length refers to an encryption key.
		if (atom.data.length >= 32) throw fail("FILE_ENCRYPTED");
		readDirectory(stream, atom.data.readUInt32LE(12), offsets);
		documentReference ??= atom.data.readUInt32LE(16);
		editOffset = atom.data.readUInt32LE(8);
	}
	const part = (reference: number, type: number) => {
		const offset = offsets.get(reference);
		const record = offset === undefined ? null : recordAt(stream, offset);
		return record?.type === type ? record : null;
	};
	const document = (documentReference === null ? null : part(documentReference, types.document)) ?? firstDocument(stream);
	if (document === null) throw fail("FILE_BROKEN", "its list of slides is lost");
	return { document, part };
}

/** Adds the offsets of one edit. Edits are read from the last to the first, so offsets that are there already are newer. */
function readDirectory(stream: Buffer, offset: number, offsets: Map<number, number>): void {
	const list = recordAt(stream, offset);
	if (list?.type !== types.persistDirectory) return;
	for (let position = 0; position + 4 <= list.data.length; ) {
		const packedEntry = list.data.readUInt32LE(position);
		const [first, count] = [packedEntry & 0xfffff, packedEntry >>> 20];
		for (let index = 0; index < count && position + 8 + index * 4 <= list.data.length; index++) {
			if (!offsets.has(first + index)) offsets.set(first + index, list.data.readUInt32LE(position + 4 + index * 4));
		}
		position += 4 + count * 4;
	}
}

function firstDocument(stream: Buffer): PptRecord | null {
	for (let offset = 0; ; ) {
		const record = recordAt(stream, offset);
		if (record === null) return null;
		if (record.type === types.document) return record;
		offset += 8 + record.data.length;
	}
}
