/**
 * Makes an animated WebP of pictures of a page. Of each picture only the rectangle that has changed is stored, without loss, in the 16 most
 * frequent colours of all of them.
 */

import { encodeWebp, flattened, type Pixels, pixelsOf } from "./flat-picture.ts";

export interface Frame {
	readonly png: Uint8Array;
	/** How long it is shown. */
	readonly ms: number;
}

interface Shown extends Pixels {
	readonly ms: number;
}

interface Rectangle {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

const animates = 0x02;
/** The rectangle replaces what was there; it is not blended with it. */
const replaces = 0x02;

export async function animatedWebp(frames: readonly Frame[]): Promise<Uint8Array> {
	const read = frames.map(({ png, ms }) => ({ ...pixelsOf(png), ms }));
	const { width = 0, height = 0 } = read[0] ?? {};
	if (read.some((frame) => frame.width !== width || frame.height !== height)) throw new Error("the pictures are not of one size");
	const parts: Buffer[] = [];
	let before: Uint32Array | null = null;
	for (const { colours, ms } of withoutRepeats(flattened(read))) {
		const changed: Rectangle = before === null ? { x: 0, y: 0, width, height } : changedBetween(before, colours, width);
		parts.push(chunk("ANMF", Buffer.concat([frameHeader(changed, ms), await encoded(colours, width, changed)])));
		before = colours;
	}
	const head = chunk("VP8X", Buffer.concat([Buffer.from([animates, 0, 0, 0]), uint24(width - 1), uint24(height - 1)]));
	// A background that is never seen, and no end of the repetitions.
	const content = Buffer.concat([Buffer.from("WEBP"), head, chunk("ANIM", Buffer.alloc(6)), ...parts]);
	return chunk("RIFF", content);
}

/** A picture like the one before makes that one last longer. */
function withoutRepeats(frames: readonly Shown[]): readonly Shown[] {
	const kept: Shown[] = [];
	for (const frame of frames) {
		const last = kept.at(-1);
		if (last !== undefined && Buffer.from(last.colours.buffer).equals(Buffer.from(frame.colours.buffer)))
			kept.splice(-1, 1, { ...last, ms: last.ms + frame.ms });
		else kept.push(frame);
	}
	return kept;
}

/** It begins at even numbers, as the format demands. */
function changedBetween(before: Uint32Array, after: Uint32Array, width: number): Rectangle {
	let [left, right, top, bottom] = [width, 0, Number.POSITIVE_INFINITY, 0];
	for (let at = 0; at < after.length; at++) {
		if (before[at] === after[at]) continue;
		const [x, y] = [at % width, Math.floor(at / width)];
		[left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
	}
	const [x, y] = [left - (left % 2), top - (top % 2)];
	return { x, y, width: right - x + 1, height: bottom - y + 1 };
}

/** The picture's own chunk out of the file that the encoder makes. */
async function encoded(colours: Uint32Array, width: number, area: Rectangle): Promise<Buffer> {
	const inside = new Uint32Array(area.width * area.height);
	for (let y = 0; y < area.height; y++) {
		const from = (area.y + y) * width + area.x;
		inside.set(colours.subarray(from, from + area.width), y * area.width);
	}
	const file = await encodeWebp({ width: area.width, height: area.height, colours: inside });
	return Buffer.from(file).subarray("RIFF____WEBP".length);
}

function frameHeader({ x, y, width, height }: Rectangle, ms: number): Buffer {
	return Buffer.concat([uint24(x / 2), uint24(y / 2), uint24(width - 1), uint24(height - 1), uint24(Math.round(ms)), Buffer.from([replaces])]);
}

function chunk(name: string, content: Buffer): Buffer {
	const head = Buffer.alloc(8);
	head.write(name);
	head.writeUInt32LE(content.length, 4);
	return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

function uint24(value: number): Buffer {
	const bytes = Buffer.alloc(3);
	bytes.writeUIntLE(value, 0, 3);
	return bytes;
}
