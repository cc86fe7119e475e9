/** Extracts the audio track of an MP4 into a file of its own, without decoding: its samples are copied one after another. */

import { type ByteView, byteView } from "../byte-view.ts";
import { cuesMax } from "../cue.ts";
import { type Box, boxAt, boxesIn, childrenOf } from "./boxes.ts";
import { tabledSamples } from "./samples.ts";
import { tracksIn } from "./track.ts";

const containers: ReadonlySet<string> = new Set(["trak", "mdia", "minf", "stbl"]);
/** Boxes that refer to other tracks, or that only the whole file needs. */
const leftOut: ReadonlySet<string> = new Set(["tref", "udta", "meta", "stco", "co64", "stsc", "sdtp", "sbgp", "sgpd"]);

/** Null where the file has no video, no audio, or is fragmented. */
export function audioOfMp4(bytes: Uint8Array): Uint8Array | null {
	const view = byteView(bytes);
	const file: Box = { name: "", begin: 0, end: view.length, start: 0 };
	const movie = boxAt(view, file, "moov");
	if (movie === null || boxAt(view, movie, "mvex") !== null) return null;
	const tracks = tracksIn(view, movie);
	const sound = tracks.find(({ handler }) => handler === "soun");
	if (sound === undefined || !tracks.some(({ handler }) => handler === "vide")) return null;
	const samples = tabledSamples(view, sound);
	const box = childrenOf(view, movie, "trak").find((trak) => boxAt(view, trak, "mdia", "minf", "stbl")?.start === sound.samples?.start);
	const head = boxAt(view, movie, "mvhd");
	if (box === undefined || head === null || samples.length === 0 || samples.length >= cuesMax) return null;

	const type = boxAt(view, file, "ftyp");
	const typeBytes = type === null ? new Uint8Array() : view.slice(type.start, type.end);
	const media = samples.map(({ at, size }) => view.slice(at, at + size));
	// The chunk offsets depend on the length of their own table, so it is built twice; its length is the same both times.
	const movieAt = (from: number) => wrap("moov", [view.slice(head.start, head.end), rebuilt(view, box, oneChunk(samples.length, from))]);
	const from = typeBytes.length + movieAt(0).length + 8;
	return Buffer.concat([typeBytes, movieAt(from), wrap("mdat", media)]);
}

/** The same boxes with new chunk tables. */
function rebuilt(view: ByteView, box: Box, tables: readonly Uint8Array[]): Uint8Array {
	const children = [...boxesIn(view, box.begin, box.end)].filter(({ name }) => !leftOut.has(name));
	const parts = children.map((child) => (containers.has(child.name) ? rebuilt(view, child, tables) : view.slice(child.start, child.end)));
	return wrap(box.name, box.name === "stbl" ? [...parts, ...tables] : parts);
}

function oneChunk(samples: number, from: number): readonly Uint8Array[] {
	return [wrap("stsc", [numbers(0, 1, 1, samples, 1)]), wrap("stco", [numbers(0, 1, from)])];
}

function wrap(name: string, parts: readonly Uint8Array[]): Uint8Array {
	const size = parts.reduce((sum, part) => sum + part.length, 8);
	return Buffer.concat([numbers(size), Buffer.from(name, "latin1"), ...parts]);
}

function numbers(...values: readonly number[]): Uint8Array {
	const bytes = Buffer.alloc(values.length * 4);
	for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
	return bytes;
}
