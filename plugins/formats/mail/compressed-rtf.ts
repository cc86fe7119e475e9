/** Decompresses Outlook's RTF (MS-OXRTFCP): LZ77 with a window of 4,096 bytes that initially contains common RTF. */

const presetText =
	"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
const windowLength = 4096;
const compressedSignature = 0x75465a4c;
const storedSignature = 0x414c454d;
/** The largest expansion: two bytes become at most eighteen. */
const expansionMax = 9;

/** Null if it is neither compressed nor stored RTF. */
export function decompressRtf(bytes: Uint8Array): Uint8Array | null {
	if (bytes.byteLength < 16) return null;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const signature = view.getUint32(8, true);
	if (signature === storedSignature) return bytes.subarray(16);
	if (signature !== compressedSignature) return null;
	const outputLength = Math.min(view.getUint32(4, true), (bytes.byteLength - 16) * expansionMax);
	return decompress(bytes.subarray(16), outputLength);
}

function decompress(data: Uint8Array, outputLength: number): Uint8Array {
	const window = new Uint8Array(windowLength);
	window.set(Buffer.from(presetText, "latin1"));
	let windowPosition = presetText.length;
	const output = new Uint8Array(outputLength);
	let length = 0;
	const addByte = (byte: number) => {
		output[length++] = byte;
		window[windowPosition] = byte;
		windowPosition = (windowPosition + 1) % windowLength;
	};
	for (let index = 0; index < data.length && length < outputLength; ) {
		const flags = data[index++] ?? 0;
		for (let bit = 0; bit < 8 && index < data.length && length < outputLength; bit++) {
			if (((flags >> bit) & 1) === 0) {
				addByte(data[index++] ?? 0);
				continue;
			}
			const reference = ((data[index] ?? 0) << 8) | (data[index + 1] ?? 0);
			index += 2;
			const offset = reference >> 4;
			if (offset === windowPosition) return output.subarray(0, length); // a reference to the current position marks the end
			for (let copied = 0; copied < (reference & 15) + 2 && length < outputLength; copied++) addByte(window[(offset + copied) % windowLength] ?? 0);
		}
	}
	return output.subarray(0, length);
}
