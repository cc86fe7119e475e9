/** The records of a presentation from before 2007: each has a type and a length, and many contain others. */

export interface PptRecord {
	readonly type: number;
	/** The instance field of the record header. */
	readonly instance: number;
	/** Without the header. */
	readonly data: Buffer;
	/** Whether it contains only records. */
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

const headBytes = 8;
/** Nesting of groups. */
const depthMax = 40;

/** The record at an offset; null when it would exceed the data. */
export function recordAt(data: Buffer, at: number): PptRecord | null {
	if (at + headBytes > data.length) return null;
	const head = data.readUInt16LE(at);
	const length = data.readUInt32LE(at + 4);
	const start = at + headBytes;
	return {
		type: data.readUInt16LE(at + 2),
		instance: head >> 4,
		data: data.subarray(start, Math.min(data.length, start + length)),
		isContainer: (head & 15) === 15,
	};
}

export function* recordsIn(data: Buffer): Generator<PptRecord> {
	for (let at = 0; ; ) {
		const record = recordAt(data, at);
		if (record === null) return;
		yield record;
		at += headBytes + record.data.length;
	}
}

export function recordOf(data: Buffer, type: number): PptRecord | null {
	for (const record of recordsIn(data)) if (record.type === type) return record;
	return null;
}

/** All records of a type at any depth, but none inside of another of that type. */
export function* outermost(data: Buffer, type: number, depth = 0): Generator<PptRecord> {
	for (const record of recordsIn(data)) {
		if (record.type === type) yield record;
		else if (record.isContainer && depth < depthMax) yield* outermost(record.data, type, depth + 1);
	}
}
