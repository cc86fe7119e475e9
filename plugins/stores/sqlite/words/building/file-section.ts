/** One part of a file that is written piece by piece. */

import { writeSync } from "node:fs";

const bufferBytes = 1 << 20;

export interface Section {
	readonly put: (values: ArrayBufferView) => Section;
	readonly end: () => void;
}

/** Many small pieces, few writes: sections grow side by side, each at its own place in the file. */
export function fileSection(file: number, offset: number): Section {
	const buffer = new Uint8Array(bufferBytes);
	let held = 0;
	let place = offset;
	const write = (bytes: Uint8Array): void => {
		for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, place + done);
		place += bytes.length;
	};
	const end = (): void => {
		write(buffer.subarray(0, held));
		held = 0;
	};
	const opened: Section = {
		put(values) {
			const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
			if (held + bytes.length > bufferBytes) end();
			if (bytes.length > bufferBytes) write(bytes);
			else {
				buffer.set(bytes, held);
				held += bytes.length;
			}
			return opened;
		},
		end,
	};
	return opened;
}
