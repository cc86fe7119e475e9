/** The header of an MP4 track: its type, language and time scale. */

import type { ByteView } from "../byte-view.ts";
import { canonicalLanguage } from "../canonical-language.ts";
import { type Box, boxByPath, boxesIn, childrenOf } from "./boxes.ts";

export interface Track {
	readonly id: number;
	/** The kind of track: `vide`, `soun`, `sbtl`, `text`, `subt`, `clcp`. */
	readonly handler: string;
	/** From its first sample description. */
	readonly codec: string;
	readonly language: string | null;
	readonly name: string | null;
	readonly isEnabled: boolean;
	readonly isForced: boolean;
	/** The time scale of its samples. */
	readonly ticksPerSecond: number;
	/** Seconds that the edit list adds to the time of every sample. */
	readonly offsetSeconds: number;
	/** Ids of the tracks that hold its chapters. */
	readonly chapterTracks: readonly number[];
	/** The box with its sample tables. */
	readonly samples: Box | null;
}

const tracksMax = 1_000;

export function tracksIn(view: ByteView, movie: Box): readonly Track[] {
	const movieTicks = ticksPerSecond(view, boxByPath(view, movie, "mvhd")) ?? 1_000;
	return childrenOf(view, movie, "trak")
		.slice(0, tracksMax)
		.flatMap((box) => trackOf(view, box, movieTicks) ?? []);
}

function trackOf(view: ByteView, box: Box, movieTicks: number): Track | null {
	const header = boxByPath(view, box, "tkhd");
	const media = boxByPath(view, box, "mdia");
	const handler = boxByPath(view, media, "hdlr");
	const mediaHeader = boxByPath(view, media, "mdhd");
	if (header === null || handler === null || mediaHeader === null || media === null) return null;
	const samples = boxByPath(view, media, "minf", "stbl");
	const description = boxByPath(view, samples, "stsd");
	const firstEntry = description === null || description.end - description.begin < 16 ? null : description.begin + 8;
	const codec = firstEntry === null ? "" : view.name(firstEntry + 4);
	const trackTicks = ticksPerSecond(view, mediaHeader) ?? movieTicks;
	return {
		id: view.u32(header.begin + (view.u8(header.begin) === 1 ? 20 : 12)),
		handler: view.name(handler.begin + 8),
		codec,
		language: languageOf(view, media, mediaHeader),
		name: nameOf(view, box),
		isEnabled: (view.u24(header.begin + 1) & 1) === 1,
		isForced: codec === "tx3g" && firstEntry !== null && (view.u32(firstEntry + 16) & 0xc0000000) !== 0,
		ticksPerSecond: trackTicks,
		offsetSeconds: startOffset(view, boxByPath(view, box, "edts", "elst"), movieTicks, trackTicks),
		chapterTracks: numbersIn(view, boxByPath(view, box, "tref", "chap")),
		samples,
	};
}

function ticksPerSecond(view: ByteView, box: Box | null): number | null {
	const ticks = box === null ? 0 : view.u32(box.begin + (view.u8(box.begin) === 1 ? 20 : 12));
	return ticks === 0 ? null : ticks;
}

/** The language: a BCP 47 tag in an `elng` box, or three letters of five bits each. QuickTime's old numeric codes are ignored. */
function languageOf(view: ByteView, media: Box, mediaHeader: Box): string | null {
	const extended = boxByPath(view, media, "elng");
	if (extended !== null) return canonicalLanguage(view.utf8(extended.begin + 4, extended.end));
	const packedLanguage = view.u16(mediaHeader.begin + (view.u8(mediaHeader.begin) === 1 ? 32 : 20));
	return packedLanguage < 0x400 ? null : canonicalLanguage(String.fromCharCode(...[10, 5, 0].map((bits) => ((packedLanguage >> bits) & 31) + 0x60)));
}

function nameOf(view: ByteView, track: Box): string | null {
	const box = boxByPath(view, track, "udta", "name") ?? boxByPath(view, track, "udta", "titl");
	const name = box === null ? "" : view.utf8(box.name === "titl" ? box.begin + 6 : box.begin, box.end).trim();
	return name === "" ? null : name.slice(0, 200);
}

/** Seconds to add to all times. Empty edits at the beginning delay the track; the first other edit has the media time at which it starts. */
function startOffset(view: ByteView, edits: Box | null, movieTicks: number, ticks: number): number {
	if (edits === null) return 0;
	const isLong = view.u8(edits.begin) === 1;
	const size = isLong ? 20 : 12;
	let delayTicks = 0;
	for (let offset = edits.begin + 8; offset + size <= edits.end; offset += size) {
		const duration = isLong ? view.u64(offset) : view.u32(offset);
		const isEmpty = isLong ? view.u32(offset + 8) === 0xffffffff : view.i32(offset + 4) === -1;
		if (!isEmpty) return delayTicks / movieTicks - (isLong ? view.u64(offset + 8) : view.u32(offset + 4)) / ticks;
		delayTicks += duration;
	}
	return 0;
}

function numbersIn(view: ByteView, box: Box | null): readonly number[] {
	if (box === null) return [];
	return Array.from({ length: Math.min(100, Math.floor((box.end - box.begin) / 4)) }, (_, index) => view.u32(box.begin + index * 4));
}

/** Default duration and size of samples in fragments, by track. */
export function fragmentDefaults(view: ByteView, movie: Box): ReadonlyMap<number, { readonly duration: number; readonly size: number }> {
	const extended = boxByPath(view, movie, "mvex");
	if (extended === null) return new Map();
	return new Map(
		[...boxesIn(view, extended.begin, extended.end)]
			.filter((box) => box.name === "trex" && box.end - box.begin >= 24)
			.map((box) => [view.u32(box.begin + 4), { duration: view.u32(box.begin + 12), size: view.u32(box.begin + 16) }]),
	);
}
