/** A navigable graph over vectors (HNSW): wraps usearch so that nothing reaches it that could crash or poison it. */

import type { Vector } from "cairn-memory";
import { Index, MetricKind, ScalarKind } from "usearch";

/**
 * 8-bit numbers make the file a third of its size and adding fastest; what they lose is made up for by scoring the
 * candidates again. 32 links a node, chosen from a list of 256 while building: of the truly nearest ten texts the best 112 candidates
 * then hold 0.990, with half of both 0.959, at the same time a search. The builder, which has time, takes three times as long.
 */
const shape = { metric: MetricKind.Cos, quantization: ScalarKind.I8, connectivity: 32, expansion_add: 256, expansion_search: 64, multi: false };

/** usearch counts the candidates it keeps by this, so fewer are not cheaper. */
export const graphCountMin = shape.expansion_search;

export class VectorGraph {
	readonly #index: Index;
	readonly dimensions: number;

	private constructor(index: Index, dimensions: number) {
		this.#index = index;
		this.dimensions = dimensions;
	}

	/** For the builder: an empty one to add to. */
	static empty(dimensions: number): VectorGraph {
		return new VectorGraph(new Index({ ...shape, dimensions }), dimensions);
	}

	/**
	 * Maps a file. The caller has verified its checksum: a damaged file does not throw here, it kills the process. The
	 * dimensions are those of the file whatever was asked for, and searching with shorter vectors would read past their end.
	 * @returns null when the file holds another number of vectors or of dimensions than its maker claims.
	 */
	static view(path: string, dimensions: number, size: number): VectorGraph | null {
		const index = new Index({ ...shape, dimensions });
		index.view(path);
		// The binding answers plain numbers, whatever its types say.
		if (Number(index.dimensions()) !== dimensions || Number(index.size()) !== size) return null;
		return new VectorGraph(index, dimensions);
	}

	get size(): number {
		return Number(this.#index.size());
	}

	/** The vectors are sound (`vectorFault`) and no key was added before. Synchronous and slow: 0.5 ms a vector, and more on a busy machine. */
	add(keys: BigUint64Array, vectors: Float32Array, threads: number): void {
		this.#index.add(keys, vectors, threads);
	}

	save(path: string): void {
		this.#index.save(path);
	}

	/** The keys nearest to a sound vector, best first; fewer only when the graph holds or reaches fewer. */
	search(query: Vector, count: number): readonly number[] {
		if (query.length !== this.dimensions) throw new RangeError(`a query of ${query.length} dimensions for a graph of ${this.dimensions}`);
		const size = this.size;
		if (size === 0) return [];
		return Array.from(this.#index.search(query, Math.min(count, size), 1).keys, Number);
	}
}
