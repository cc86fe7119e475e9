/** A navigable graph of vectors (HNSW): wraps usearch, and keeps away from it what could crash it or corrupt its results. */

import type { Vector } from "cairn-memory";
import { Index, MetricKind, ScalarKind } from "usearch";

/**
 * 8-bit numbers make the file a third of the size and adding fastest; the candidates are scored again, which makes up for the lost
 * precision. With 32 links per node, chosen from a list of 256 while building, the best 112 candidates have 0.990 of the true nearest
 * ten texts; with half of both 0.959. A search takes the same time, and building three times as long.
 */
const shape = { metric: MetricKind.Cos, quantization: ScalarKind.I8, connectivity: 32, expansion_add: 256, expansion_search: 64, multi: false };

/** usearch always looks for this many candidates, so asking for fewer is not cheaper. */
export const graphCountMin = shape.expansion_search;

export class VectorGraph {
	readonly #index: Index;
	readonly dimensions: number;

	private constructor(index: Index, dimensions: number) {
		this.#index = index;
		this.dimensions = dimensions;
	}

	/** An empty graph, for the builder. */
	static empty(dimensions: number): VectorGraph {
		return new VectorGraph(new Index({ ...shape, dimensions }), dimensions);
	}

	/**
	 * Maps a file. The caller must have verified its checksum, because a damaged file would crash the process. usearch takes the
	 * dimensions from the file, and searching with shorter vectors would read past their end.
	 * @returns null if the file has another number of vectors or dimensions than the manifest claims.
	 */
	static view(path: string, dimensions: number, size: number): VectorGraph | null {
		const index = new Index({ ...shape, dimensions });
		index.view(path);
		// The binding returns plain numbers, although its types say otherwise.
		if (Number(index.dimensions()) !== dimensions || Number(index.size()) !== size) return null;
		return new VectorGraph(index, dimensions);
	}

	get size(): number {
		return Number(this.#index.size());
	}

	/** Adds valid vectors (`vectorFault`) with new keys. It is synchronous and slow: 0.5 ms per vector, and more on a busy machine. */
	add(keys: BigUint64Array, vectors: Float32Array, threads: number): void {
		this.#index.add(keys, vectors, threads);
	}

	save(path: string): void {
		this.#index.save(path);
	}

	/** The keys of the nearest vectors, best first; fewer than `count` only if the graph has or reaches fewer. */
	search(query: Vector, count: number): readonly number[] {
		if (query.length !== this.dimensions) throw new RangeError(`a query of ${query.length} dimensions for a graph of ${this.dimensions}`);
		const size = this.size;
		if (size === 0) return [];
		return Array.from(this.#index.search(query, Math.min(count, size), 1).keys, Number);
	}
}
