/** Pictures whose headers lie, whose data never end, or that end too soon. */

import { crc32 } from "node:zlib";
import { deflateBomb } from "./deflate-bomb.ts";

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const zeros = new Uint8Array(2 ** 20);

export const hostilePictures = {
	/** 7.5 gigabytes once decoded, by its header; seventy bytes on disk. */
	hugePng: () => png(50_000, 50_000, deflateBomb(new Uint8Array(10), 1)),
	/** A small picture behind whose rows a gigabyte follows. */
	endlessPng: () => png(64, 64, deflateBomb(zeros, 1_024)),
	/** Just within what is decoded: 49 megapixels that take 50 kilobytes on disk. */
	densePng: () => png(7_000, 7_000, deflateBomb(new Uint8Array(7_000 * 3 + 1), 7_000)),
	gifOfManyFrames: () => {
		const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0];
		const frames = Buffer.alloc(frame.length * 100_000, Buffer.from(frame));
		return Buffer.concat([Buffer.from("GIF89a"), Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]), frames, Buffer.from([0x3b])]);
	},
	/** A directory of pictures that is its own successor. */
	loopingTiff: () => Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 2, 0, 0, 1, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0, 1, 1, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0]),
} as const satisfies Record<string, () => Uint8Array>;

/** Of eight bits for each of three colours. */
function png(width: number, height: number, data: Uint8Array): Uint8Array {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 2], 8);
	return Buffer.concat([Buffer.from(pngSignature), chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", new Uint8Array())]);
}

function chunk(kind: string, data: Uint8Array): Uint8Array {
	const named = Buffer.concat([Buffer.from(kind), data]);
	const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length);
	sum.writeUInt32BE(crc32(named));
	return Buffer.concat([length, named, sum]);
}
