/** Reads the subtitles and metadata of a Matroska or WebM file. Clusters are read once, and only subtitle frames are decoded. */

import { type ByteView, byteView, decodeUtf8 } from "../byte-view.ts";
import { type Chapter, type Cue, cuesMax } from "../cue.ts";
import { noTags, type Recording, type SubtitleTrack } from "../recording.ts";
import { readAssSample } from "../subtitles/read-ass.ts";
import { voicesOf } from "../subtitles/voices.ts";
import { blockOf } from "./blocks.ts";
import { childOf, type Element, elementsIn, numberIn, textIn } from "./elements.ts";
import { chaptersIn, tagsIn } from "./tags.ts";
import { type Track, tracksIn } from "./track.ts";

const ids = {
	segment: 0x18538067,
	info: 0x1549a966,
	scale: 0x2ad7b1,
	title: 0x7ba9,
	tracks: 0x1654ae6b,
	chapters: 0x1043a770,
	tags: 0x1254c367,
	cluster: 0x1f43b675,
	clusterTime: 0xe7,
	simpleBlock: 0xa3,
	group: 0xa0,
	block: 0xa1,
	duration: 0x9b,
} as const;

interface Frame {
	readonly begin: number;
	readonly end: number | null;
	readonly bytes: Uint8Array;
}

/** A track, with the cues found so far. */
interface FoundTrack {
	/** Seconds per tick. */
	tick: number;
	title: string | null;
	tracks: readonly Track[];
	chapters: readonly Chapter[];
	readonly tagLists: Element[];
	readonly frames: Map<number, Frame[]>;
	isCut: boolean;
}

export function readMatroska(bytes: Uint8Array): Recording {
	const view = byteView(bytes);
	const found: FoundTrack = { tick: 0.001, title: null, tracks: [], chapters: [], tagLists: [], frames: new Map(), isCut: false };
	const file: Element = { id: 0, start: 0, begin: 0, end: view.length, isOpen: false };
	const segment = childOf(view, file, ids.segment);
	if (segment !== null) walkSegment(view, segment, found);
	const { tracks, chapters } = found;
	if (tracks.length === 0) return { kind: "video", hasAudio: true, language: null, tracks: [], tags: noTags, chapters, damage: "it names no tracks" };
	const sound = tracks.find(({ type }) => type === 2);
	return {
		kind: tracks.some(({ type }) => type === 1) ? "video" : "audio",
		hasAudio: sound !== undefined,
		language: sound?.language ?? null,
		tracks: tracks.filter(({ type }) => type === 17).map((track) => subtitleTrack(track, found.frames.get(track.number) ?? [])),
		tags: tagsIn(view, found.tagLists, found.title),
		chapters,
		damage: found.isCut ? "its parts do not fit together" : null,
	};
}

function walkSegment(view: ByteView, segment: Element, found: FoundTrack): void {
	let last = segment.begin;
	let time = 0;
	for (const element of elementsIn(view, segment.begin, segment.end)) {
		last = element.end;
		if (element.id === ids.info) {
			found.tick = numberIn(view, childOf(view, element, ids.scale), 1_000_000) / 1e9;
			found.title = textIn(view, childOf(view, element, ids.title));
		}
		if (element.id === ids.tracks && found.tracks.length === 0) startTracks(tracksIn(view, element), found);
		if (element.id === ids.chapters) found.chapters = chaptersIn(view, element);
		if (element.id === ids.tags && found.tagLists.length < 100) found.tagLists.push(element);
		// Children of a cluster of unknown size.
		time = clusterPart(view, element, time, found);
		if (element.id !== ids.cluster || element.isOpen) continue;
		time = 0;
		for (const part of elementsIn(view, element.begin, element.end)) time = clusterPart(view, part, time, found);
	}
	found.isCut ||= last < segment.end;
}

function startTracks(tracks: readonly Track[], found: FoundTrack): void {
	found.tracks = tracks;
	for (const { number, type } of tracks) if (type === 17) found.frames.set(number, []);
}

/** @returns the time of the cluster, which comes before its blocks. */
function clusterPart(view: ByteView, element: Element, time: number, found: FoundTrack): number {
	if (element.id === ids.clusterTime) return numberIn(view, element, 0);
	if (element.id === ids.simpleBlock) addBlock(view, element, null, time, found);
	if (element.id === ids.group) {
		const block = childOf(view, element, ids.block);
		const duration = childOf(view, element, ids.duration);
		if (block !== null) addBlock(view, block, duration === null ? null : numberIn(view, duration, 0), time, found);
	}
	return time;
}

function addBlock(view: ByteView, element: Element, ticks: number | null, time: number, { frames: lists, tick }: FoundTrack): void {
	const block = blockOf(view, element);
	const list = block === null ? undefined : lists.get(block.track);
	if (block === null || list === undefined || list.length >= cuesMax) return;
	const begin = (time + block.offset) * tick;
	const end = ticks === null ? null : seconds(begin + ticks * tick);
	for (const [from, to] of block.frames) list.push({ begin: seconds(begin), end, bytes: view.slice(from, to) });
}

function subtitleTrack(track: Track, frames: readonly Frame[]): SubtitleTrack {
	const { codec, language, name, isDefault, isForced, frameSeconds, unpack } = track;
	const decode = decoderOf(codec);
	const read = (): readonly Cue[] =>
		frames.flatMap(({ begin, end, bytes }) => {
			const until = end ?? (frameSeconds === null ? null : seconds(begin + frameSeconds));
			return decode?.(decodeUtf8(unpack?.(bytes) ?? bytes), begin, until === null ? null : Math.max(begin, until)) ?? [];
		});
	return { codec, language, name, isDefault, isForced, read: decode === null || unpack === null ? null : read };
}

type Decode = (text: string, begin: number, end: number | null) => readonly Cue[];

/** Null for subtitles that are images (PGS, VobSub). */
function decoderOf(codec: string): Decode | null {
	if (codec === "S_TEXT/ASS" || codec === "S_TEXT/SSA" || codec === "S_ASS" || codec === "S_SSA")
		return (text, begin, end) => [readAssSample(text, begin, end)].filter((cue) => cue.text !== "");
	// WebM's WebVTT has two lines before the text: the cue's id and its settings.
	if (codec.startsWith("D_WEBVTT/")) return (text, begin, end) => voicesOf({ begin, end }, text.split("\n").slice(2).join("\n"));
	if (codec === "S_TEXT/UTF8" || codec === "S_TEXT/ASCII" || codec === "S_TEXT/WEBVTT") return (text, begin, end) => voicesOf({ begin, end }, text);
	return null;
}

/** Not negative, and rounded to milliseconds. */
function seconds(exact: number): number {
	return Math.max(0, Math.round(exact * 1000) / 1000);
}
