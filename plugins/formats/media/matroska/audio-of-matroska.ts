/** Extracts the audio track of a Matroska video into a separate file. Nothing is decoded: the elements of that track are copied. */

import type { MediaType } from "cairn-memory";
import { type ByteView, byteView } from "../byte-view.ts";
import { blockOf } from "./blocks.ts";
import { childOf, childrenOf, type Element, elementsIn, numberIn, textIn } from "./elements.ts";

const ids = {
	head: 0x1a45dfa3,
	docType: 0x4282,
	segment: 0x18538067,
	info: 0x1549a966,
	tracks: 0x1654ae6b,
	entry: 0xae,
	trackNumber: 0xd7,
	trackType: 0x83,
	codec: 0x86,
	cluster: 0x1f43b675,
	clusterTime: 0xe7,
	simpleBlock: 0xa3,
	group: 0xa0,
	block: 0xa1,
} as const;

export interface ExtractedAudio {
	readonly bytes: Uint8Array;
	readonly mediaType: MediaType;
}

/** Null if the file has no video or no audio. */
export function audioOfMatroska(bytes: Uint8Array): ExtractedAudio | null {
	const view = byteView(bytes);
	const segment = childOf(view, { id: 0, start: 0, begin: 0, end: view.length, hasUnknownSize: false }, ids.segment);
	const tracks = childOf(view, segment, ids.tracks);
	if (segment === null || tracks === null) return null;
	const entries = childrenOf(view, tracks, ids.entry).map((entry) => ({ entry, type: numberIn(view, childOf(view, entry, ids.trackType), 0) }));
	const audioTrack = entries.find(({ type }) => type === 2)?.entry;
	if (audioTrack === undefined || !entries.some(({ type }) => type === 1)) return null;
	const info = childOf(view, segment, ids.info);
	const clusters = clustersOf(view, segment, numberIn(view, childOf(view, audioTrack, ids.trackNumber), 0));
	if (clusters.length === 0) return null;
	// If WebM allows the codec, the file is declared as WebM, which more services accept.
	const isWebM = /^A_(OPUS|VORBIS)$/.test(textIn(view, childOf(view, audioTrack, ids.codec)) ?? "");
	const header = wrap(ids.head, [wrap(ids.docType, [Buffer.from(isWebM ? "webm" : "matroska")])]);
	const parts = [...(info === null ? [] : [bytesOf(view, info)]), wrap(ids.tracks, [bytesOf(view, audioTrack)]), ...clusters];
	return { bytes: Buffer.concat([header, wrap(ids.segment, parts)]), mediaType: isWebM ? "audio/webm" : "audio/x-matroska" };
}

/** New clusters with the time and the blocks of the track. The blocks of a cluster of unknown size come after it as siblings. */
function clustersOf(view: ByteView, segment: Element, track: number): readonly Uint8Array[] {
	const clusters: Uint8Array[] = [];
	let parts: Uint8Array[] = [];
	let blocks = 0;
	const endCluster = () => {
		if (blocks > 0) clusters.push(wrap(ids.cluster, parts));
		parts = [];
		blocks = 0;
	};
	const addElement = (element: Element) => {
		if (element.id === ids.clusterTime) parts.push(bytesOf(view, element));
		const block = element.id === ids.group ? childOf(view, element, ids.block) : element.id === ids.simpleBlock ? element : null;
		if (block === null || blockOf(view, block)?.track !== track) return;
		parts.push(bytesOf(view, element));
		blocks++;
	};
	for (const element of elementsIn(view, segment.begin, segment.end)) {
		if (element.id !== ids.cluster) addElement(element);
		else {
			endCluster();
			if (!element.hasUnknownSize) for (const part of elementsIn(view, element.begin, element.end)) addElement(part);
		}
	}
	endCluster();
	return clusters;
}

function bytesOf(view: ByteView, { start, end }: Element): Uint8Array {
	return view.slice(start, end);
}

/** Encodes an element. Its size is always written with eight bytes. */
function wrap(id: number, parts: readonly Uint8Array[]): Uint8Array {
	const size = parts.reduce((sum, part) => sum + part.length, 0);
	const hex = id.toString(16);
	const sizeBytes = Buffer.alloc(8);
	sizeBytes.writeBigUInt64BE(BigInt(size));
	sizeBytes[0] = 0x01;
	return Buffer.concat([Buffer.from(hex, "hex"), sizeBytes, ...parts]);
}
