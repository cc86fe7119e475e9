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

/** What has been found in the segment so far. */
interface SegmentContent {
	/** Seconds per tick. */
	tick: number;
	title: string | null;
	tracks: readonly Track[];
	chapters: readonly Chapter[];
	readonly tagLists: Element[];
	/** Subtitle frames by track number. */
	readonly frames: Map<number, Frame[]>;
	isTruncated: boolean;
}

export function readMatroska(bytes: Uint8Array): Recording {
	const view = byteView(bytes);
	const content: SegmentContent = { tick: 0.001, title: null, tracks: [], chapters: [], tagLists: [], frames: new Map(), isTruncated: false };
	const file: Element = { id: 0, start: 0, begin: 0, end: view.length, hasUnknownSize: false };
	const segment = childOf(view, file, ids.segment);
	if (segment !== null) walkSegment(view, segment, content);
	const { tracks, chapters } = content;
	if (tracks.length === 0) return { kind: "video", hasAudio: true, language: null, tracks: [], tags: noTags, chapters, damage: "it lists no tracks" };
	const audioTrack = tracks.find(({ type }) => type === 2);
	return {
		kind: tracks.some(({ type }) => type === 1) ? "video" : "audio",
		hasAudio: audioTrack !== undefined,
		language: audioTrack?.language ?? null,
		tracks: tracks.filter(({ type }) => type === 17).map((track) => subtitleTrack(track, content.frames.get(track.number) ?? [])),
		tags: tagsIn(view, content.tagLists, content.title),
		chapters,
		damage: content.isTruncated ? "it is truncated or damaged" : null,
	};
}

function walkSegment(view: ByteView, segment: Element, content: SegmentContent): void {
	let last = segment.begin;
	let time = 0;
	for (const element of elementsIn(view, segment.begin, segment.end)) {
		last = element.end;
		if (element.id === ids.info) {
			content.tick = numberIn(view, childOf(view, element, ids.scale), 1_000_000) / 1e9;
			content.title = textIn(view, childOf(view, element, ids.title));
		}
		if (element.id === ids.tracks && content.tracks.length === 0) startTracks(tracksIn(view, element), content);
		if (element.id === ids.chapters) content.chapters = chaptersIn(view, element);
		if (element.id === ids.tags && content.tagLists.length < 100) content.tagLists.push(element);
		// This reads the children of a cluster of unknown size, which come as its siblings.
		time = readClusterPart(view, element, time, content);
		if (element.id !== ids.cluster || element.hasUnknownSize) continue;
		time = 0;
		for (const part of elementsIn(view, element.begin, element.end)) time = readClusterPart(view, part, time, content);
	}
	content.isTruncated ||= last < segment.end;
}

function startTracks(tracks: readonly Track[], content: SegmentContent): void {
	content.tracks = tracks;
	for (const { number, type } of tracks) if (type === 17) content.frames.set(number, []);
}

/** Reads a child of a cluster. @returns the time of the cluster in ticks, which is stored before its blocks. */
function readClusterPart(view: ByteView, element: Element, time: number, content: SegmentContent): number {
	if (element.id === ids.clusterTime) return numberIn(view, element, 0);
	if (element.id === ids.simpleBlock) addBlock(view, element, null, time, content);
	if (element.id === ids.group) {
		const block = childOf(view, element, ids.block);
		const duration = childOf(view, element, ids.duration);
		if (block !== null) addBlock(view, block, duration === null ? null : numberIn(view, duration, 0), time, content);
	}
	return time;
}

function addBlock(view: ByteView, element: Element, ticks: number | null, time: number, { frames: lists, tick }: SegmentContent): void {
	const block = blockOf(view, element);
	const list = block === null ? undefined : lists.get(block.track);
	if (block === null || list === undefined || list.length >= cuesMax) return;
	const begin = (time + block.time) * tick;
	const end = ticks === null ? null : seconds(begin + ticks * tick);
	for (const [start, stop] of block.frames) list.push({ begin: seconds(begin), end, bytes: view.slice(start, stop) });
}

function subtitleTrack(track: Track, frames: readonly Frame[]): SubtitleTrack {
	const { codec, language, name, isDefault, isForced, frameSeconds, unpack } = track;
	const decode = decoderOf(codec);
	const read = (): readonly Cue[] =>
		frames.flatMap(({ begin, end, bytes }) => {
			const cueEnd = end ?? (frameSeconds === null ? null : seconds(begin + frameSeconds));
			return decode?.(decodeUtf8(unpack?.(bytes) ?? bytes), begin, cueEnd === null ? null : Math.max(begin, cueEnd)) ?? [];
		});
	return { codec, language, name, isDefault, isForced, read: decode === null || unpack === null ? null : read };
}

type Decode = (text: string, begin: number, end: number | null) => readonly Cue[];

/** Null for subtitles that are images (PGS, VobSub). */
function decoderOf(codec: string): Decode | null {
	if (codec === "S_TEXT/ASS" || codec === "S_TEXT/SSA" || codec === "S_ASS" || codec === "S_SSA")
		return (text, begin, end) => [readAssSample(text, begin, end)].filter((cue) => cue.text !== "");
	// WebVTT in WebM has two lines before the text: the cue's id and its settings.
	if (codec.startsWith("D_WEBVTT/")) return (text, begin, end) => voicesOf({ begin, end }, text.split("\n").slice(2).join("\n"));
	if (codec === "S_TEXT/UTF8" || codec === "S_TEXT/ASCII" || codec === "S_TEXT/WEBVTT") return (text, begin, end) => voicesOf({ begin, end }, text);
	return null;
}

/** Rounds to milliseconds; negative times become 0. */
function seconds(value: number): number {
	return Math.max(0, Math.round(value * 1000) / 1000);
}
