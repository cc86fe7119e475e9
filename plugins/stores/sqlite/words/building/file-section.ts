/** A buffered writer for one section of a file. */

import { writeSync } from "node:fs";

const bufferBytes = 1 << 20;

export interface Section {
	readonly put: (values: ArrayBufferView) => Section;
	readonly end: () => void;
}

/** Several sections can be written at the same time, each from its own offset on. */
export function fileSection(file: number, offset: number): Section {
	const buffer = new Uint8Array(bufferBytes);
	let buffered = 0;
	let position = offset;
	const write = (bytes: Uint8Array): void => {
		for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, position + done);
		position += bytes.length;
	};
	const end = (): void => {
		write(buffer.subarray(0, buffered));
		buffered = 0;
	};
	const section: Section = {
		put(values) {
			const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
			if (buffered + bytes.length > bufferBytes) end();
			if (bytes.length > bufferBytes) write(bytes);
			else {
				buffer.set(bytes, buffered);
				buffered += bytes.length;
			}
			return section;
		},
		end,
	};
	return section;
}
