/** Decompresses Outlook's RTF (MS-OXRTFCP): LZ77 with a window of 4,096 bytes that is preset with common words. */

const beginning =
	"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
const windowLength = 4096;
const compressed = 0x75465a4c;
const stored = 0x414c454d;
/** Two bytes expand to at most eighteen. */
const growthMax = 9;

/** Null when it is neither compressed nor stored RTF. */
export function unpackRtf(bytes: Uint8Array): Uint8Array | null {
	if (bytes.byteLength < 16) return null;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const kind = view.getUint32(8, true);
	if (kind === stored) return bytes.subarray(16);
	if (kind !== compressed) return null;
	const wanted = Math.min(view.getUint32(4, true), (bytes.byteLength - 16) * growthMax);
	return unpack(bytes.subarray(16), wanted);
}

function unpack(packed: Uint8Array, wanted: number): Uint8Array {
	const window = new Uint8Array(windowLength);
	window.set(Buffer.from(beginning, "latin1"));
	let write = beginning.length;
	const out = new Uint8Array(wanted);
	let length = 0;
	const put = (byte: number) => {
		out[length++] = byte;
		window[write] = byte;
		write = (write + 1) % windowLength;
	};
	for (let at = 0; at < packed.length && length < wanted; ) {
		const flags = packed[at++] ?? 0;
		for (let bit = 0; bit < 8 && at < packed.length && length < wanted; bit++) {
			if (((flags >> bit) & 1) === 0) {
				put(packed[at++] ?? 0);
				continue;
			}
			const reference = ((packed[at] ?? 0) << 8) | (packed[at + 1] ?? 0);
			at += 2;
			const offset = reference >> 4;
			if (offset === write) return out.subarray(0, length); // a reference to itself marks the end
			for (let step = 0; step < (reference & 15) + 2 && length < wanted; step++) put(window[(offset + step) % windowLength] ?? 0);
		}
	}
	return out.subarray(0, length);
}
