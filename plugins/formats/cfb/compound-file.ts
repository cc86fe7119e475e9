/** Opens an OLE compound file: streams of bytes in a tree of storages. Every sector and entry is visited at most once, so cycles end. */

import { fail } from "cairn-memory";

export interface Storage {
	readonly streams: ReadonlyMap<string, Uint8Array>;
	readonly storages: ReadonlyMap<string, Storage>;
}

const mark = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const sectorMax = 0xfffffffa;
const none = 0xffffffff;
const entryLength = 128;
const storagesDepthMax = 40;
/** Mails with a hundred attachments have some thousands. */
const entriesMax = 100_000;

interface Entry {
	readonly name: string;
	readonly type: number;
	readonly left: number;
	readonly right: number;
	readonly child: number;
	readonly start: number;
	readonly size: number;
}

/** @throws FILE_BROKEN when it is no OLE file, or nothing of it can be read. */
export function openCompoundFile(bytes: Uint8Array): Storage {
	if (bytes.byteLength < 512 || !mark.every((byte, index) => bytes[index] === byte)) throw fail("FILE_BROKEN", "it is no OLE compound file");
	return new CompoundFile(bytes).open();
}

class CompoundFile {
	readonly #bytes: Uint8Array;
	readonly #view: DataView;
	readonly #sectorSize: number;
	readonly #miniSize: number;
	readonly #cutoff: number;
	readonly #chain: Uint32Array;
	#miniChain: Uint32Array = new Uint32Array();
	#mini: Uint8Array = new Uint8Array();
	#entries: readonly Entry[] = [];
	#left: number;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		this.#sectorSize = this.#view.getUint16(30, true) === 12 ? 4096 : 512;
		this.#miniSize = 64; // by the specification
		this.#cutoff = this.#view.getUint32(56, true);
		this.#chain = this.#readNumbers(this.#sectorsOfChain());
		// Streams may not share sectors, so all together are no longer than the file.
		this.#left = bytes.byteLength;
	}

	open(): Storage {
		this.#entries = this.#readEntries(this.#join(this.#follow(this.#view.getUint32(48, true), this.#chain)));
		const [root] = this.#entries;
		if (root === undefined) throw fail("FILE_BROKEN", "its list of streams is lost");
		this.#miniChain = this.#readNumbers(this.#follow(this.#view.getUint32(60, true), this.#chain));
		this.#mini = this.#join(this.#follow(root.start, this.#chain)).subarray(0, root.size);
		return this.#openStorage(root, new Set([0]), 0);
	}

	#openStorage(parent: Entry, seen: Set<number>, depth: number): Storage {
		const streams = new Map<string, Uint8Array>();
		const storages = new Map<string, Storage>();
		const waiting = [parent.child];
		for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
			const entry = this.#entries[at];
			if (entry === undefined || seen.has(at)) continue;
			seen.add(at);
			waiting.push(entry.right, entry.left);
			if (entry.type === 2) streams.set(entry.name, this.#readStream(entry));
			else if (entry.type === 1 && depth < storagesDepthMax) storages.set(entry.name, this.#openStorage(entry, seen, depth + 1));
		}
		return { streams, storages };
	}

	#readStream({ start, size }: Entry): Uint8Array {
		const isMini = size < this.#cutoff;
		const length = Math.min(size, this.#left);
		this.#left -= length;
		if (!isMini) return this.#join(this.#follow(start, this.#chain), length);
		const sectors = this.#follow(start, this.#miniChain, Math.ceil(length / this.#miniSize));
		const parts = sectors.map((sector) => this.#mini.subarray(sector * this.#miniSize, (sector + 1) * this.#miniSize));
		return new Uint8Array(Buffer.concat(parts)).subarray(0, length);
	}

	/** The sectors of the allocation table: the first 109 are in the header, the others in DIFAT sectors. */
	#sectorsOfChain(): readonly number[] {
		const sectors: number[] = [];
		for (let at = 76; at < 512; at += 4) sectors.push(this.#view.getUint32(at, true));
		const seen = new Set<number>();
		for (let more = this.#view.getUint32(68, true); more < sectorMax && !seen.has(more); ) {
			seen.add(more);
			const numbers = this.#readNumbers([more]);
			if (numbers.length === 0) break;
			sectors.push(...numbers.subarray(0, -1));
			more = numbers.at(-1) ?? none;
		}
		const count = Math.ceil(this.#bytes.byteLength / this.#sectorSize);
		return sectors.filter((sector) => sector < sectorMax).slice(0, count);
	}

	#follow(start: number, chain: Uint32Array, countMax: number = chain.length): readonly number[] {
		const sectors: number[] = [];
		for (let at = start; at < chain.length && sectors.length < countMax; at = chain[at] ?? none) sectors.push(at);
		return sectors;
	}

	#sector(sector: number): Uint8Array {
		const at = (sector + 1) * this.#sectorSize;
		return this.#bytes.subarray(at, at + this.#sectorSize);
	}

	#join(sectors: readonly number[], length: number = sectors.length * this.#sectorSize): Uint8Array {
		const needed = sectors.slice(0, Math.ceil(length / this.#sectorSize));
		return new Uint8Array(Buffer.concat(needed.map((sector) => this.#sector(sector)))).subarray(0, length);
	}

	#readNumbers(sectors: readonly number[]): Uint32Array {
		const joined = this.#join(sectors);
		const view = new DataView(joined.buffer, joined.byteOffset, joined.byteLength);
		return Uint32Array.from({ length: joined.byteLength >> 2 }, (_, index) => view.getUint32(index * 4, true));
	}

	#readEntries(list: Uint8Array): readonly Entry[] {
		const view = new DataView(list.buffer, list.byteOffset, list.byteLength);
		const count = Math.min(entriesMax, Math.floor(list.byteLength / entryLength));
		return Array.from({ length: count }, (_, index) => {
			const at = index * entryLength;
			const nameLength = Math.min(64, view.getUint16(at + 64, true));
			return {
				name: Buffer.from(list.subarray(at, at + Math.max(0, nameLength - 2))).toString("utf16le"),
				type: view.getUint8(at + 66),
				left: view.getUint32(at + 68, true),
				right: view.getUint32(at + 72, true),
				child: view.getUint32(at + 76, true),
				start: view.getUint32(at + 116, true),
				size: view.getUint32(at + 120, true),
			};
		});
	}
}
