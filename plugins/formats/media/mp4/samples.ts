/** Offsets and times of a track's samples, from its sample tables and from movie fragments. */

import type { ByteView } from "../byte-view.ts";
import { cuesMax } from "../cue.ts";
import { type Box, boxAt, boxesIn, childrenOf } from "./boxes.ts";
import type { Track } from "./track.ts";

export interface Sample {
	readonly at: number;
	readonly size: number;
	/** In the track's time scale. */
	readonly time: number;
	readonly duration: number;
}

/** The number of entries a table declares, limited to what fits in it. */
function entries(view: ByteView, box: Box | null, size: number): number {
	if (box === null || box.end - box.begin < 8) return 0;
	return Math.min(view.u32(box.begin + 4), Math.floor((box.end - box.begin - 8) / size));
}

/** The samples in a track's tables that are inside of the file. */
export function tabledSamples(view: ByteView, { samples: table }: Track): readonly Sample[] {
	const sizeOf = sizes(view, table);
	const durations = durationsOf(view, boxAt(view, table, "stts"));
	const chunks = boxAt(view, table, "stco") ?? boxAt(view, table, "co64");
	if (sizeOf === null || chunks === null) return [];
	const isWide = chunks.name === "co64";
	const chunkCount = entries(view, chunks, isWide ? 8 : 4);
	const perChunk = chunkSizes(view, boxAt(view, table, "stsc"));
	const found: Sample[] = [];
	let index = 0;
	let time = 0;
	for (let chunk = 0; chunk < chunkCount && index < sizeOf.count; chunk++) {
		let at = isWide ? view.u64(chunks.begin + 8 + chunk * 8) : view.u32(chunks.begin + 8 + chunk * 4);
		const inside = Math.min(perChunk(chunk + 1), sizeOf.count - index);
		for (let sample = 0; sample < inside; sample++, index++) {
			const size = sizeOf.at(index);
			const duration = durations();
			if (at + size > view.length || found.length >= cuesMax) return found;
			found.push({ at, size, time, duration });
			at += size;
			time += duration;
		}
	}
	return found;
}

interface Sizes {
	readonly count: number;
	readonly at: (index: number) => number;
}

function sizes(view: ByteView, table: Box | null): Sizes | null {
	const plain = boxAt(view, table, "stsz");
	if (plain !== null) {
		if (plain.end - plain.begin < 12) return null;
		const fixed = view.u32(plain.begin + 4);
		const declared = view.u32(plain.begin + 8);
		if (fixed > 0) return { count: Math.min(declared, cuesMax), at: () => fixed };
		return { count: Math.min(declared, Math.floor((plain.end - plain.begin - 12) / 4)), at: (index) => view.u32(plain.begin + 12 + index * 4) };
	}
	const compact = boxAt(view, table, "stz2");
	if (compact === null || compact.end - compact.begin < 12) return null;
	const bits = view.u8(compact.begin + 7);
	if (bits !== 8 && bits !== 16) return null;
	const bytes = bits / 8;
	const count = Math.min(view.u32(compact.begin + 8), Math.floor((compact.end - compact.begin - 12) / bytes));
	return { count, at: (index) => (bits === 8 ? view.u8(compact.begin + 12 + index) : view.u16(compact.begin + 12 + index * 2)) };
}

/** Returns one duration after another; the last one repeats. */
function durationsOf(view: ByteView, box: Box | null): () => number {
	const count = entries(view, box, 8);
	let entry = -1;
	let left = 0;
	let duration = 0;
	return () => {
		while (left === 0 && box !== null && entry + 1 < count) {
			entry++;
			left = view.u32(box.begin + 8 + entry * 8);
			duration = view.u32(box.begin + 12 + entry * 8);
		}
		if (left > 0) left--;
		return duration;
	};
}

/** How many samples a chunk has; chunks have to be asked for in order, from 1. */
function chunkSizes(view: ByteView, box: Box | null): (chunk: number) => number {
	const count = entries(view, box, 12);
	let entry = 0;
	return (chunk) => {
		if (box === null || count === 0) return 1;
		while (entry + 1 < count && view.u32(box.begin + 8 + (entry + 1) * 12) <= chunk) entry++;
		return view.u32(box.begin + 12 + entry * 12);
	};
}

/** The samples in fragments, by track. Offsets are relative to the beginning of the fragment. */
export function fragmentedSamples(
	view: ByteView,
	wanted: ReadonlySet<number>,
	defaults: ReadonlyMap<number, { readonly duration: number; readonly size: number }>,
): ReadonlyMap<number, readonly Sample[]> {
	const found = new Map<number, Sample[]>();
	for (const moof of boxesIn(view, 0, view.length)) {
		if (moof.name !== "moof") continue;
		for (const traf of childrenOf(view, moof, "traf")) {
			const head = boxAt(view, traf, "tfhd");
			if (head === null) continue;
			const id = view.u32(head.begin + 4);
			if (!wanted.has(id)) continue;
			const list = found.get(id) ?? [];
			found.set(id, list);
			addRuns(view, moof, traf, head, list, defaults.get(id));
		}
	}
	return found;
}

function addRuns(
	view: ByteView,
	moof: Box,
	traf: Box,
	head: Box,
	list: Sample[],
	usual: { readonly duration: number; readonly size: number } | undefined,
): void {
	const flags = view.u24(head.begin + 1);
	let at = head.begin + 8;
	const next = (bit: number, size: number, otherwise: number): number => {
		if ((flags & bit) === 0) return otherwise;
		at += size;
		return size === 8 ? view.u64(at - 8) : view.u32(at - 4);
	};
	const base = next(0x1, 8, moof.start);
	next(0x2, 4, 0);
	const duration = next(0x8, 4, usual?.duration ?? 0);
	const size = next(0x10, 4, usual?.size ?? 0);
	const clock = boxAt(view, traf, "tfdt");
	const last = list.at(-1);
	let time = last === undefined ? 0 : last.time + last.duration;
	if (clock !== null) time = view.u8(clock.begin) === 1 ? view.u64(clock.begin + 4) : view.u32(clock.begin + 4);
	let position = base;
	for (const run of childrenOf(view, traf, "trun")) {
		const bits = view.u24(run.begin + 1);
		const width = [0x100, 0x200, 0x400, 0x800].filter((bit) => (bits & bit) !== 0).length * 4;
		let entry = run.begin + 8;
		if ((bits & 0x1) !== 0) {
			position = base + view.i32(entry);
			entry += 4;
		}
		if ((bits & 0x4) !== 0) entry += 4;
		const fitting = width === 0 ? cuesMax : Math.max(0, Math.floor((run.end - entry) / width));
		const count = Math.min(view.u32(run.begin + 4), fitting);
		for (let index = 0; index < count && list.length < cuesMax; index++, entry += width) {
			const own = (bits & 0x100) === 0 ? duration : view.u32(entry);
			const bytes = (bits & 0x200) === 0 ? size : view.u32(entry + ((bits & 0x100) === 0 ? 0 : 4));
			if (position < 0 || position + bytes > view.length) return;
			list.push({ at: position, size: bytes, time, duration: own });
			position += bytes;
			time += own;
		}
	}
}
