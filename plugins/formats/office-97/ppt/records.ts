/** The records of a presentation from before 2007: each has a type and a length, and many contain others. */

export interface PptRecord {
	readonly type: number;
	/** The instance field of the record header. */
	readonly instance: number;
	/** The record's bytes after the header. */
	readonly data: Buffer;
	/** Whether the data consists of other records. */
	readonly isContainer: boolean;
}

export const types = {
	document: 0x03e8,
	slide: 0x03ee,
	slideAtom: 0x03ef,
	notes: 0x03f0,
	slidePersist: 0x03f3,
	slideShowInfo: 0x03f9,
	drawing: 0x040c,
	placeholder: 0x0bc3,
	outlineText: 0x0f9e,
	textHeader: 0x0f9f,
	textCharacters: 0x0fa0,
	textStyles: 0x0fa1,
	textBytes: 0x0fa8,
	words: 0x0fba,
	slideList: 0x0ff0,
	object: 0x1011,
	userEdit: 0x0ff5,
	persistDirectory: 0x1772,
	comment: 0x2ee0,
	shapeGroup: 0xf003,
	shape: 0xf004,
	childAnchor: 0xf00f,
	shapeText: 0xf00d,
	shapeClient: 0xf011,
	moreProperties: 0xf122,
} as const;

const headerBytes = 8;
/** Limits the nesting of containers. */
const depthMax = 40;

/** The record at an offset; null at the end of the data. A truncated record is returned as far as it goes. */
export function recordAt(data: Buffer, offset: number): PptRecord | null {
	if (offset + headerBytes > data.length) return null;
	const versionAndInstance = data.readUInt16LE(offset);
	const length = data.readUInt32LE(offset + 4);
	const start = offset + headerBytes;
	return {
		type: data.readUInt16LE(offset + 2),
		instance: versionAndInstance >> 4,
		data: data.subarray(start, Math.min(data.length, start + length)),
		isContainer: (versionAndInstance & 15) === 15,
	};
}

export function* recordsIn(data: Buffer): Generator<PptRecord> {
	for (let offset = 0; ; ) {
		const record = recordAt(data, offset);
		if (record === null) return;
		yield record;
		offset += headerBytes + record.data.length;
	}
}

export function recordOf(data: Buffer, type: number): PptRecord | null {
	for (const record of recordsIn(data)) if (record.type === type) return record;
	return null;
}

/** All records of a type at any depth, except those inside another record of that type. */
export function* topmostRecords(data: Buffer, type: number, depth = 0): Generator<PptRecord> {
	for (const record of recordsIn(data)) {
		if (record.type === type) yield record;
		else if (record.isContainer && depth < depthMax) yield* topmostRecords(record.data, type, depth + 1);
	}
}
