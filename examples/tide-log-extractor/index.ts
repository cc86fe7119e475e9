/** An extractor for a file format of its own: the tide logs of a harbour, binary, with a media type that the server does not know. */

import { completeExtraction, definePlugin, type Extractor, type FileSignature, fail, type ReadableBlock } from "cairn-memory";
import { z } from "zod";

/** Six letters and the version. What begins otherwise never gets here, whatever it is called. */
const mark = new TextEncoder().encode("TIDES\u0001");
const files: FileSignature = { mediaType: "application/vnd.brennik.tide-log", extensions: ["tide"], magicBytes: [mark] };

const decoder = new TextDecoder("utf-8", { fatal: true });

export default definePlugin({
	name: "cairn-plugin-extract-tide-log",
	contract: 1,
	options: z.strictObject({}),
	start: () => ({ extractor: [tideLog] }),
});

const tideLog: Extractor = {
	name: "tide-log",
	accepts: [files.mediaType],
	signatures: [files],
	async extract(source, step) {
		const bytes = await source.bytes();
		step.signal.throwIfAborted();
		if (bytes.byteLength === 0) throw fail("CONTENT_EMPTY");
		if (!mark.every((byte, at) => bytes[at] === byte)) throw fail("FILE_BROKEN", "it does not begin like a tide log");
		const { blocks, isCut } = readEntries(bytes);
		if (blocks.length === 0) throw isCut ? fail("FILE_BROKEN", "its first entry is damaged") : fail("CONTENT_EMPTY");
		if (isCut) step.warn("TIDES_CUT", `${blocks.length} entries can be read, the next one is damaged`);
		return completeExtraction({ blocks, titles: [source.fileName], type: "text" });
	},
};

/** Each entry: minutes since 1970 (4 bytes), the level in centimetres (2), the length of a note (1), the note. All numbers begin with their highest byte. */
function readEntries(bytes: Uint8Array): { readonly blocks: readonly ReadableBlock[]; readonly isCut: boolean } {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const blocks: ReadableBlock[] = [];
	for (let at = mark.length; at < bytes.byteLength; ) {
		if (at + 7 > bytes.byteLength) return { blocks, isCut: true };
		const end = at + 7 + view.getUint8(at + 6);
		const note = end > bytes.byteLength ? null : noteOf(bytes.subarray(at + 7, end));
		if (note === null) return { blocks, isCut: true };
		const when = new Date(view.getUint32(at) * 60_000).toISOString().slice(0, 16);
		const text = `${when} level ${view.getInt16(at + 4)} cm ${note}`.trim();
		blocks.push({ kind: "list-item", depth: 0, text, headings: [], place: {} });
		at = end;
	}
	return { blocks, isCut: false };
}

function noteOf(bytes: Uint8Array): string | null {
	try {
		return decoder.decode(bytes).replace(/[\p{Cc}\s]+/gu, " ");
	} catch {
		return null;
	}
}
