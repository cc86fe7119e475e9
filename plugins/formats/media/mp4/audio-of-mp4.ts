/** Extracts the audio track of an MP4 into a separate file. Nothing is decoded: the samples of that track are copied one after another. */

import { type ByteView, byteView } from "../byte-view.ts";
import { cuesMax } from "../cue.ts";
import { type Box, boxByPath, boxesIn, childrenOf } from "./boxes.ts";
import { samplesInTables } from "./samples.ts";
import { tracksIn } from "./track.ts";

const containers: ReadonlySet<string> = new Set(["trak", "mdia", "minf", "stbl"]);
/** Boxes that are left out: they refer to other tracks, are only needed in the whole file, or are replaced. */
const omittedBoxes: ReadonlySet<string> = new Set(["tref", "udta", "meta", "stco", "co64", "stsc", "sdtp", "sbgp", "sgpd"]);

/** Null if the file has no video or no audio, or is fragmented. */
export function audioOfMp4(bytes: Uint8Array): Uint8Array | null {
	const view = byteView(bytes);
	const file: Box = { name: "", begin: 0, end: view.length, start: 0 };
	const movie = boxByPath(view, file, "moov");
	if (movie === null || boxByPath(view, movie, "mvex") !== null) return null;
	const tracks = tracksIn(view, movie);
	const audioTrack = tracks.find(({ handler }) => handler === "soun");
	if (audioTrack === undefined || !tracks.some(({ handler }) => handler === "vide")) return null;
	const samples = samplesInTables(view, audioTrack);
	const box = childrenOf(view, movie, "trak").find((trak) => boxByPath(view, trak, "mdia", "minf", "stbl")?.start === audioTrack.samples?.start);
	const movieHeader = boxByPath(view, movie, "mvhd");
	if (box === undefined || movieHeader === null || samples.length === 0 || samples.length >= cuesMax) return null;

	const type = boxByPath(view, file, "ftyp");
	const typeBytes = type === null ? new Uint8Array() : view.slice(type.start, type.end);
	const media = samples.map(({ offset, size }) => view.slice(offset, offset + size));
	// The chunk offset depends on the length of the movie box that contains it, so the box is built twice; its length is the same both times.
	const movieWithChunkAt = (chunkOffset: number) =>
		wrap("moov", [view.slice(movieHeader.start, movieHeader.end), withNewTables(view, box, singleChunkTables(samples.length, chunkOffset))]);
	const mediaOffset = typeBytes.length + movieWithChunkAt(0).length + 8;
	return Buffer.concat([typeBytes, movieWithChunkAt(mediaOffset), wrap("mdat", media)]);
}

/** Copies a box and its children, with new chunk tables. */
function withNewTables(view: ByteView, box: Box, tables: readonly Uint8Array[]): Uint8Array {
	const children = [...boxesIn(view, box.begin, box.end)].filter(({ name }) => !omittedBoxes.has(name));
	const parts = children.map((child) => (containers.has(child.name) ? withNewTables(view, child, tables) : view.slice(child.start, child.end)));
	return wrap(box.name, box.name === "stbl" ? [...parts, ...tables] : parts);
}

function singleChunkTables(samples: number, chunkOffset: number): readonly Uint8Array[] {
	return [wrap("stsc", [numbers(0, 1, 1, samples, 1)]), wrap("stco", [numbers(0, 1, chunkOffset)])];
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
