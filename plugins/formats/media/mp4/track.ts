/** The header of an MP4 track: its type, language and time scale. */

import type { ByteView } from "../byte-view.ts";
import { canonicalLanguage } from "../canonical-language.ts";
import { type Box, boxAt, boxesIn, childrenOf } from "./boxes.ts";

export interface Track {
	readonly id: number;
	/** `vide`, `soun`, `sbtl`, `text`, `subt`, `clcp`. */
	readonly handler: string;
	/** From its first sample description. */
	readonly codec: string;
	readonly language: string | null;
	readonly name: string | null;
	readonly isEnabled: boolean;
	readonly isForced: boolean;
	/** Ticks per second. */
	readonly ticks: number;
	/** Seconds that its edit list adds to the time of every sample. */
	readonly shift: number;
	/** Ids of the tracks that hold its chapters. */
	readonly chapterTracks: readonly number[];
	readonly samples: Box | null;
}

const tracksMax = 1_000;

export function tracksIn(view: ByteView, movie: Box): readonly Track[] {
	const movieTicks = clockOf(view, boxAt(view, movie, "mvhd")) ?? 1_000;
	return childrenOf(view, movie, "trak")
		.slice(0, tracksMax)
		.flatMap((box) => trackOf(view, box, movieTicks) ?? []);
}

function trackOf(view: ByteView, box: Box, movieTicks: number): Track | null {
	const head = boxAt(view, box, "tkhd");
	const media = boxAt(view, box, "mdia");
	const handler = boxAt(view, media, "hdlr");
	const clock = boxAt(view, media, "mdhd");
	if (head === null || handler === null || clock === null || media === null) return null;
	const samples = boxAt(view, media, "minf", "stbl");
	const description = boxAt(view, samples, "stsd");
	const first = description === null || description.end - description.begin < 16 ? null : description.begin + 8;
	const codec = first === null ? "" : view.name(first + 4);
	const ticks = clockOf(view, clock) ?? movieTicks;
	return {
		id: view.u32(head.begin + (view.u8(head.begin) === 1 ? 20 : 12)),
		handler: view.name(handler.begin + 8),
		codec,
		language: languageOf(view, media, clock),
		name: nameOf(view, box),
		isEnabled: (view.u24(head.begin + 1) & 1) === 1,
		isForced: codec === "tx3g" && first !== null && (view.u32(first + 16) & 0xc0000000) !== 0,
		ticks,
		shift: shiftOf(view, boxAt(view, box, "edts", "elst"), movieTicks, ticks),
		chapterTracks: numbersIn(view, boxAt(view, box, "tref", "chap")),
		samples,
	};
}

function clockOf(view: ByteView, box: Box | null): number | null {
	const ticks = box === null ? 0 : view.u32(box.begin + (view.u8(box.begin) === 1 ? 20 : 12));
	return ticks === 0 ? null : ticks;
}

/** Three letters of five bits each, or a BCP 47 tag in an `elng` box. QuickTime's old numeric codes are ignored. */
function languageOf(view: ByteView, media: Box, clock: Box): string | null {
	const extended = boxAt(view, media, "elng");
	if (extended !== null) return canonicalLanguage(view.utf8(extended.begin + 4, extended.end));
	const packed = view.u16(clock.begin + (view.u8(clock.begin) === 1 ? 32 : 20));
	return packed < 0x400 ? null : canonicalLanguage(String.fromCharCode(...[10, 5, 0].map((bits) => ((packed >> bits) & 31) + 0x60)));
}

function nameOf(view: ByteView, track: Box): string | null {
	const box = boxAt(view, track, "udta", "name") ?? boxAt(view, track, "udta", "titl");
	const name = box === null ? "" : view.utf8(box.name === "titl" ? box.begin + 6 : box.begin, box.end).trim();
	return name === "" ? null : name.slice(0, 200);
}

/** Empty edits at the beginning delay the track; the first other edit gives the media time at which it starts. */
function shiftOf(view: ByteView, edits: Box | null, movieTicks: number, ticks: number): number {
	if (edits === null) return 0;
	const isLong = view.u8(edits.begin) === 1;
	const size = isLong ? 20 : 12;
	let delay = 0;
	for (let at = edits.begin + 8; at + size <= edits.end; at += size) {
		const duration = isLong ? view.u64(at) : view.u32(at);
		const isEmpty = isLong ? view.u32(at + 8) === 0xffffffff : view.i32(at + 4) === -1;
		if (!isEmpty) return delay / movieTicks - (isLong ? view.u64(at + 8) : view.u32(at + 4)) / ticks;
		delay += duration;
	}
	return 0;
}

function numbersIn(view: ByteView, box: Box | null): readonly number[] {
	if (box === null) return [];
	return Array.from({ length: Math.min(100, Math.floor((box.end - box.begin) / 4)) }, (_, index) => view.u32(box.begin + index * 4));
}

/** Default duration and size of samples in fragments, by track. */
export function fragmentDefaults(view: ByteView, movie: Box): ReadonlyMap<number, { readonly duration: number; readonly size: number }> {
	const extended = boxAt(view, movie, "mvex");
	if (extended === null) return new Map();
	return new Map(
		[...boxesIn(view, extended.begin, extended.end)]
			.filter((box) => box.name === "trex" && box.end - box.begin >= 24)
			.map((box) => [view.u32(box.begin + 4), { duration: view.u32(box.begin + 12), size: view.u32(box.begin + 16) }]),
	);
}
