/** Offsets and times of a track's samples, from its sample tables and from movie fragments. */

import type { ByteView } from "../byte-view.ts";
import { cuesMax } from "../cue.ts";
import { type Box, boxByPath, boxesIn, childrenOf } from "./boxes.ts";
import type { Track } from "./track.ts";

export interface Sample {
	/** Offset in the file. */
	readonly offset: number;
	/** In bytes. */
	readonly size: number;
	/** In the track's time scale. */
	readonly time: number;
	readonly duration: number;
}

/** The number of entries that a table declares, but at most as many as fit into it. */
function entryCount(view: ByteView, box: Box | null, size: number): number {
	if (box === null || box.end - box.begin < 8) return 0;
	return Math.min(view.u32(box.begin + 4), Math.floor((box.end - box.begin - 8) / size));
}

/** The samples in a track's tables, up to the first one that is outside of the file. */
export function samplesInTables(view: ByteView, { samples: table }: Track): readonly Sample[] {
	const sampleSizes = readSizes(view, table);
	const nextDuration = readDurations(view, boxByPath(view, table, "stts"));
	const chunks = boxByPath(view, table, "stco") ?? boxByPath(view, table, "co64");
	if (sampleSizes === null || chunks === null) return [];
	const isWide = chunks.name === "co64";
	const chunkCount = entryCount(view, chunks, isWide ? 8 : 4);
	const samplesPerChunk = readSamplesPerChunk(view, boxByPath(view, table, "stsc"));
	const found: Sample[] = [];
	let index = 0;
	let time = 0;
	for (let chunk = 0; chunk < chunkCount && index < sampleSizes.count; chunk++) {
		let offset = isWide ? view.u64(chunks.begin + 8 + chunk * 8) : view.u32(chunks.begin + 8 + chunk * 4);
		const samplesInChunk = Math.min(samplesPerChunk(chunk + 1), sampleSizes.count - index);
		for (let sample = 0; sample < samplesInChunk; sample++, index++) {
			const size = sampleSizes.sizeAt(index);
			const duration = nextDuration();
			if (offset + size > view.length || found.length >= cuesMax) return found;
			found.push({ offset, size, time, duration });
			offset += size;
			time += duration;
		}
	}
	return found;
}

interface SampleSizes {
	readonly count: number;
	readonly sizeAt: (index: number) => number;
}

function readSizes(view: ByteView, table: Box | null): SampleSizes | null {
	const sizeTable = boxByPath(view, table, "stsz");
	if (sizeTable !== null) {
		if (sizeTable.end - sizeTable.begin < 12) return null;
		const fixedSize = view.u32(sizeTable.begin + 4);
		const declaredCount = view.u32(sizeTable.begin + 8);
		if (fixedSize > 0) return { count: Math.min(declaredCount, cuesMax), sizeAt: () => fixedSize };
		return {
			count: Math.min(declaredCount, Math.floor((sizeTable.end - sizeTable.begin - 12) / 4)),
			sizeAt: (index) => view.u32(sizeTable.begin + 12 + index * 4),
		};
	}
	const compactTable = boxByPath(view, table, "stz2");
	if (compactTable === null || compactTable.end - compactTable.begin < 12) return null;
	const bits = view.u8(compactTable.begin + 7);
	if (bits !== 8 && bits !== 16) return null;
	const bytes = bits / 8;
	const count = Math.min(view.u32(compactTable.begin + 8), Math.floor((compactTable.end - compactTable.begin - 12) / bytes));
	return { count, sizeAt: (index) => (bits === 8 ? view.u8(compactTable.begin + 12 + index) : view.u16(compactTable.begin + 12 + index * 2)) };
}

/** Returns a function that gives the duration of one sample after another. The last duration repeats. */
function readDurations(view: ByteView, box: Box | null): () => number {
	const count = entryCount(view, box, 8);
	let entry = -1;
	let remaining = 0;
	let duration = 0;
	return () => {
		while (remaining === 0 && box !== null && entry + 1 < count) {
			entry++;
			remaining = view.u32(box.begin + 8 + entry * 8);
			duration = view.u32(box.begin + 12 + entry * 8);
		}
		if (remaining > 0) remaining--;
		return duration;
	};
}

/** Returns a function for the number of samples in a chunk. It has to be called for the chunks in order, from 1. */
function readSamplesPerChunk(view: ByteView, box: Box | null): (chunk: number) => number {
	const count = entryCount(view, box, 12);
	let entry = 0;
	return (chunk) => {
		if (box === null || count === 0) return 1;
		while (entry + 1 < count && view.u32(box.begin + 8 + (entry + 1) * 12) <= chunk) entry++;
		return view.u32(box.begin + 12 + entry * 12);
	};
}

/** The samples in movie fragments, by track id. */
export function samplesInFragments(
	view: ByteView,
	wanted: ReadonlySet<number>,
	defaults: ReadonlyMap<number, { readonly duration: number; readonly size: number }>,
): ReadonlyMap<number, readonly Sample[]> {
	const found = new Map<number, Sample[]>();
	for (const fragment of boxesIn(view, 0, view.length)) {
		if (fragment.name !== "moof") continue;
		for (const trackFragment of childrenOf(view, fragment, "traf")) {
			const header = boxByPath(view, trackFragment, "tfhd");
			if (header === null) continue;
			const id = view.u32(header.begin + 4);
			if (!wanted.has(id)) continue;
			const list = found.get(id) ?? [];
			found.set(id, list);
			addRuns(view, fragment, trackFragment, header, list, defaults.get(id));
		}
	}
	return found;
}

function addRuns(
	view: ByteView,
	fragment: Box,
	trackFragment: Box,
	header: Box,
	list: Sample[],
	usual: { readonly duration: number; readonly size: number } | undefined,
): void {
	const flags = view.u24(header.begin + 1);
	let offset = header.begin + 8;
	const readField = (bit: number, size: number, fallback: number): number => {
		if ((flags & bit) === 0) return fallback;
		offset += size;
		return size === 8 ? view.u64(offset - 8) : view.u32(offset - 4);
	};
	const base = readField(0x1, 8, fragment.start);
	readField(0x2, 4, 0);
	const duration = readField(0x8, 4, usual?.duration ?? 0);
	const size = readField(0x10, 4, usual?.size ?? 0);
	const decodeTime = boxByPath(view, trackFragment, "tfdt");
	const last = list.at(-1);
	let time = last === undefined ? 0 : last.time + last.duration;
	if (decodeTime !== null) time = view.u8(decodeTime.begin) === 1 ? view.u64(decodeTime.begin + 4) : view.u32(decodeTime.begin + 4);
	let position = base;
	for (const run of childrenOf(view, trackFragment, "trun")) {
		const bits = view.u24(run.begin + 1);
		const entryBytes = [0x100, 0x200, 0x400, 0x800].filter((bit) => (bits & bit) !== 0).length * 4;
		let entry = run.begin + 8;
		if ((bits & 0x1) !== 0) {
			position = base + view.i32(entry);
			entry += 4;
		}
		if ((bits & 0x4) !== 0) entry += 4;
		const entriesThatFit = entryBytes === 0 ? cuesMax : Math.max(0, Math.floor((run.end - entry) / entryBytes));
		const count = Math.min(view.u32(run.begin + 4), entriesThatFit);
		for (let index = 0; index < count && list.length < cuesMax; index++, entry += entryBytes) {
			const sampleDuration = (bits & 0x100) === 0 ? duration : view.u32(entry);
			const bytes = (bits & 0x200) === 0 ? size : view.u32(entry + ((bits & 0x100) === 0 ? 0 : 4));
			if (position < 0 || position + bytes > view.length) return;
			list.push({ offset: position, size: bytes, time, duration: sampleDuration });
			position += bytes;
			time += sampleDuration;
		}
	}
}
