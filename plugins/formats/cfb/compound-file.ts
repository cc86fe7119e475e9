/** Opens an OLE compound file: a tree of storages (folders) with streams (files). No chain or tree is followed in a cycle. */

import { fail } from "cairn-memory";

export interface Storage {
	readonly streams: ReadonlyMap<string, Uint8Array>;
	readonly storages: ReadonlyMap<string, Storage>;
}

const signature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const sectorNumberEnd = 0xfffffffa;
const noSector = 0xffffffff;
const entryLength = 128;
const storagesDepthMax = 40;
/** Mails with a hundred attachments have some thousand entries. */
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

/** @throws FILE_BROKEN if it is not an OLE file, or its directory cannot be read. */
export function openCompoundFile(bytes: Uint8Array): Storage {
	if (bytes.byteLength < 512 || !signature.every((byte, index) => bytes[index] === byte)) throw fail("FILE_BROKEN", "it is not an OLE compound file");
	return new CompoundFile(bytes).open();
}

class CompoundFile {
	readonly #bytes: Uint8Array;
	readonly #view: DataView;
	readonly #sectorSize: number;
	readonly #miniSectorSize: number;
	readonly #miniStreamMax: number;
	readonly #allocationTable: Uint32Array;
	#miniTable: Uint32Array = new Uint32Array();
	#miniStream: Uint8Array = new Uint8Array();
	#entries: readonly Entry[] = [];
	#bytesLeft: number;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		this.#sectorSize = this.#view.getUint16(30, true) === 12 ? 4096 : 512;
		this.#miniSectorSize = 64; // prescribed by the specification
		this.#miniStreamMax = this.#view.getUint32(56, true);
		this.#allocationTable = this.#readUint32s(this.#sectorsOfTable());
		// Streams cannot share sectors, so all of them together are no longer than the file.
		this.#bytesLeft = bytes.byteLength;
	}

	open(): Storage {
		this.#entries = this.#readEntries(this.#readSectors(this.#chainFrom(this.#view.getUint32(48, true), this.#allocationTable)));
		const [root] = this.#entries;
		if (root === undefined) throw fail("FILE_BROKEN", "its list of streams is lost");
		this.#miniTable = this.#readUint32s(this.#chainFrom(this.#view.getUint32(60, true), this.#allocationTable));
		this.#miniStream = this.#readSectors(this.#chainFrom(root.start, this.#allocationTable)).subarray(0, root.size);
		return this.#openStorage(root, new Set([0]), 0);
	}

	#openStorage(parent: Entry, visited: Set<number>, depth: number): Storage {
		const streams = new Map<string, Uint8Array>();
		const storages = new Map<string, Storage>();
		const pending = [parent.child];
		for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
			const entry = this.#entries[index];
			if (entry === undefined || visited.has(index)) continue;
			visited.add(index);
			pending.push(entry.right, entry.left);
			if (entry.type === 2) streams.set(entry.name, this.#readStream(entry));
			else if (entry.type === 1 && depth < storagesDepthMax) storages.set(entry.name, this.#openStorage(entry, visited, depth + 1));
		}
		return { streams, storages };
	}

	#readStream({ start, size }: Entry): Uint8Array {
		const isMini = size < this.#miniStreamMax;
		const length = Math.min(size, this.#bytesLeft);
		this.#bytesLeft -= length;
		if (!isMini) return this.#readSectors(this.#chainFrom(start, this.#allocationTable), length);
		const sectors = this.#chainFrom(start, this.#miniTable, Math.ceil(length / this.#miniSectorSize));
		const parts = sectors.map((sector) => this.#miniStream.subarray(sector * this.#miniSectorSize, (sector + 1) * this.#miniSectorSize));
		return new Uint8Array(Buffer.concat(parts)).subarray(0, length);
	}

	/** The sectors of the allocation table (FAT): the first 109 numbers are in the header, the others in DIFAT sectors. */
	#sectorsOfTable(): readonly number[] {
		const sectors: number[] = [];
		for (let offset = 76; offset < 512; offset += 4) sectors.push(this.#view.getUint32(offset, true));
		const visited = new Set<number>();
		for (let difatSector = this.#view.getUint32(68, true); difatSector < sectorNumberEnd && !visited.has(difatSector); ) {
			visited.add(difatSector);
			const numbers = this.#readUint32s([difatSector]);
			if (numbers.length === 0) break;
			sectors.push(...numbers.subarray(0, -1));
			difatSector = numbers.at(-1) ?? noSector;
		}
		const count = Math.ceil(this.#bytes.byteLength / this.#sectorSize);
		return sectors.filter((sector) => sector < sectorNumberEnd).slice(0, count);
	}

	#chainFrom(start: number, chain: Uint32Array, countMax: number = chain.length): readonly number[] {
		const sectors: number[] = [];
		for (let sector = start; sector < chain.length && sectors.length < countMax; sector = chain[sector] ?? noSector) sectors.push(sector);
		return sectors;
	}

	#sectorBytes(sector: number): Uint8Array {
		const offset = (sector + 1) * this.#sectorSize;
		return this.#bytes.subarray(offset, offset + this.#sectorSize);
	}

	#readSectors(sectors: readonly number[], length: number = sectors.length * this.#sectorSize): Uint8Array {
		const needed = sectors.slice(0, Math.ceil(length / this.#sectorSize));
		return new Uint8Array(Buffer.concat(needed.map((sector) => this.#sectorBytes(sector)))).subarray(0, length);
	}

	#readUint32s(sectors: readonly number[]): Uint32Array {
		const joined = this.#readSectors(sectors);
		const view = new DataView(joined.buffer, joined.byteOffset, joined.byteLength);
		return Uint32Array.from({ length: joined.byteLength >> 2 }, (_, index) => view.getUint32(index * 4, true));
	}

	#readEntries(list: Uint8Array): readonly Entry[] {
		const view = new DataView(list.buffer, list.byteOffset, list.byteLength);
		const count = Math.min(entriesMax, Math.floor(list.byteLength / entryLength));
		return Array.from({ length: count }, (_, index) => {
			const offset = index * entryLength;
			const nameLength = Math.min(64, view.getUint16(offset + 64, true));
			return {
				name: Buffer.from(list.subarray(offset, offset + Math.max(0, nameLength - 2))).toString("utf16le"),
				type: view.getUint8(offset + 66),
				left: view.getUint32(offset + 68, true),
				right: view.getUint32(offset + 72, true),
				child: view.getUint32(offset + 76, true),
				start: view.getUint32(offset + 116, true),
				size: view.getUint32(offset + 120, true),
			};
		});
	}
}
