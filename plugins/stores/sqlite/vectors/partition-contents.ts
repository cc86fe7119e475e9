/** The data of a partition in memory: its matrix, and the lists of its scopes. */

import { yieldIfDue } from "cairn-memory/words";
import { soundVector } from "../../sql/vectors.ts";
import { ChunkRows, chunksByVector } from "../chunk-rows.ts";
import { loadIndex } from "./files/index-folder.ts";
import { ListRows } from "./matrix/list-rows.ts";
import { quantize, VectorMatrix } from "./matrix/vector-matrix.ts";
import { MemoryRows } from "./memory-rows.ts";
import type { PartitionAddress } from "./partition-address.ts";
import { ScopeLists } from "./scope-lists.ts";
import { existing, keysAfter, newestKeyEver, pageAfter, pageRows } from "./vector-tables.ts";
import type { VectorsContext } from "./vectors-context.ts";

/** An index is only used if this many rows at its end, and as many spread over all of it, agree with the tables. */
const samples = 64;

/** Dead rows are looked for when more rows than this number, and than this share, are new. */
const unmarkedMin = 500;
const unmarkedShare = 1 / 4;

export class PartitionContents {
	readonly address: PartitionAddress;
	readonly context: VectorsContext;
	readonly matrix: VectorMatrix;
	readonly lists: ScopeLists;
	/** What is known of the rows of memories. */
	readonly memoryRows: MemoryRows;
	#listRows: ListRows | null = null;
	/** The chunks the vectors belong to, by the keys of the vectors. */
	readonly owners: ChunkRows;
	/** The keys of the chunks' vectors by chunk id, as far as they were looked up. */
	readonly ownerKeys = new Map<string, number>();
	/** The last key that was read. Rows with an invalid vector are read too, but are not in the matrix. */
	#lastKey: number;
	/** How many rows there were when the dead ones were last marked. */
	#markedRows = 0;
	#epoch = -1;
	#filling: Promise<void> | null = null;

	private constructor(address: PartitionAddress, context: VectorsContext, loaded: VectorMatrix | null) {
		this.address = address;
		this.context = context;
		this.matrix = loaded ?? new VectorMatrix(address.space.dimensions);
		this.matrix.endFile();
		this.memoryRows = new MemoryRows(address, this.matrix, context);
		this.lists = new ScopeLists(address, this.matrix, this.memoryRows, context);
		this.owners = new ChunkRows(address.organisation, chunksByVector(address.organisation, address.space.name));
		this.#lastKey = this.matrix.lastKey;
		this.#markedRows = this.matrix.length;
	}

	/** Loads the index on disk if there is one without faults; otherwise begins with an empty matrix. */
	static async open(address: PartitionAddress, context: VectorsContext, distrust: (reason: string) => Promise<void>): Promise<PartitionContents> {
		const loaded = await loadIndex(context.folder, address);
		const fault = loaded === null || typeof loaded === "string" ? loaded : faultOf(loaded, address, context);
		if (fault !== null) await distrust(fault);
		return new PartitionContents(address, context, typeof loaded === "string" || fault !== null ? null : loaded);
	}

	get byteLength(): number {
		return this.matrix.byteLength + this.lists.byteLength + this.memoryRows.byteLength + (this.#listRows?.byteLength ?? 0);
	}

	/** Gives back what can be made again from the matrix. */
	dropCopies(): void {
		this.#listRows?.drop();
	}

	/**
	 * The state of the database that is in the matrix. A list made for a newer one would lack what was committed since, and be taken for
	 * whole until the next commit.
	 */
	get epoch(): number {
		return this.#epoch;
	}

	/** For searches with several queries; others need no copy of a list. */
	get listRows(): ListRows {
		this.#listRows ??= new ListRows(this.matrix);
		return this.#listRows;
	}

	/** Resolves when everything is in the matrix that was committed before the call. */
	async fill(): Promise<void> {
		const wanted = this.context.epoch();
		while (this.#epoch < wanted) {
			this.#filling ??= this.#readOn().finally(() => {
				this.#filling = null;
			});
			await this.#filling;
		}
	}

	/** Whether so many rows were added since dead rows were last marked that another look pays: a thousand take 0.2 ms. */
	get mayHaveManyDead(): boolean {
		return this.matrix.length - this.#markedRows > Math.max(unmarkedMin, this.matrix.length * unmarkedShare);
	}

	/** Marks the rows whose vectors are deleted from the tables. */
	async markDeadRows(): Promise<void> {
		const { matrix } = this;
		const lastKey = matrix.lastKey;
		this.#markedRows = matrix.length;
		let position = 0;
		let key = 0;
		while (key < lastKey) {
			const keys = keysAfter(this.context.db(), this.address, key);
			for (const found of keys) {
				while (matrix.key(position) < found) matrix.markDead(position++);
				if (matrix.key(position) === found) position += 1;
			}
			key = keys.at(-1) ?? Number.POSITIVE_INFINITY;
			const pause = yieldIfDue();
			if (pause !== null) await pause;
		}
		while (position < matrix.length && matrix.key(position) <= lastKey) matrix.markDead(position++);
	}

	async #readOn(): Promise<void> {
		const epoch = this.context.epoch();
		for (;;) {
			const page = pageAfter(this.context.db(), this.address, this.#lastKey);
			for (const { key, vector } of page) {
				const sound = soundVector(vector, this.address.space);
				if (sound) this.matrix.append(key, sound);
				this.#lastKey = key;
			}
			if (page.length < pageRows) break;
			const pause = yieldIfDue();
			if (pause !== null) await pause;
		}
		this.#epoch = epoch;
	}
}

/**
 * An intact index may be of another state of the database: one that was restored from a backup gives out the same keys again. So the last
 * rows of the index, and some of all, are compared with the tables. A deleted row is no fault.
 */
function faultOf(matrix: VectorMatrix, address: PartitionAddress, context: VectorsContext): string | null {
	if (matrix.lastKey > newestKeyEver(context.db(), address.kind)) return "it has keys that were never given out";
	const stride = Math.max(1, Math.floor(matrix.length / samples));
	const positions = new Set<number>();
	for (let i = 0; i < samples; i++) positions.add(Math.max(0, matrix.length - 1 - i)).add(Math.min(matrix.length - 1, i * stride));
	const row = new Int8Array(matrix.dimensions);
	const keys = [...positions].map((position) => matrix.key(position));
	for (const { key, vector } of existing(context.db(), address, keys)) {
		const sound = soundVector(vector, address.space);
		if (sound === null) return "one of its vectors is invalid in the tables";
		quantize(sound, row, 0);
		const stored = matrix.row(matrix.position(key));
		if (!row.every((value, i) => value === stored[i])) return "its vectors are not those of the tables";
	}
	return null;
}
