/** Vectors, their embedding spaces, and how similar two vectors are. */

export type Vector = Float32Array;

/** The space of the vectors that one embedder makes. Vectors of two spaces are never compared. */
export interface EmbeddingSpace {
	/** Identifies the model and its settings, such as `hashing-2`. Another model or other settings need another name. */
	readonly name: string;
	readonly dimensions: number;
	readonly metric: "cosine";
	/** The usual cosines of unrelated and related texts, for turning a cosine into relevance. */
	readonly calibration: Calibration;
}

/** As much of a space as stored vectors tell of it, without their embedder. */
export type StoredSpace = Pick<EmbeddingSpace, "name" | "dimensions">;

export interface Calibration {
	/** The usual cosine of two texts without a shared subject. */
	readonly unrelated: number;
	/** The usual cosine of a question and the passage that answers it, or of a paraphrase. */
	readonly related: number;
	/**
	 * How much an affinity of 1 adds to the evidence of the words, from 0 to 1: 1 for a model that represents meaning, less for one that
	 * only compares letters.
	 */
	readonly weight: number;
}

/** What is wrong with a calibration, as an error message, or null. A missing number would make every score of a search NaN. */
export function calibrationFault(calibration: Partial<Calibration> | undefined): string | null {
	const { unrelated = Number.NaN, related = Number.NaN, weight = Number.NaN } = calibration ?? {};
	if (!(Number.isFinite(unrelated) && Number.isFinite(related))) return "its unrelated and related have to be finite numbers";
	if (related <= unrelated) return `its related (${related}) has to be greater than its unrelated (${unrelated})`;
	return weight >= 0 && weight <= 1 ? null : "its weight has to be a number from 0 to 1";
}

/** The cosine of two vectors of one length; 0 when either is a zero vector. */
export function cosine(a: Vector, b: Vector): number {
	let dot = 0;
	let normA = 0;
	let normB = 0;
	for (let i = 0; i < a.length; i++) {
		const valueA = a[i] ?? 0;
		const valueB = b[i] ?? 0;
		dot += valueA * valueB;
		normA += valueA * valueA;
		normB += valueB * valueB;
	}
	return scaled(dot, normA, normB);
}

/** The squared lengths of vectors that were compared, because most are compared with many. */
const squaredLengths = new WeakMap<Vector, number>();

function squaredLength(vector: Vector): number {
	const known = squaredLengths.get(vector);
	if (known !== undefined) return known;
	let squares = 0;
	for (let i = 0; i < vector.length; i++) squares += (vector[i] ?? 0) ** 2;
	squaredLengths.set(vector, squares);
	return squares;
}

/**
 * The cosines of a vector with others, each as `cosine` gives it, but four at a time, since each addition waits for the one before it.
 * The vectors must not be changed afterwards.
 */
export function cosines(vector: Vector, others: readonly Vector[]): Float64Array {
	const found = new Float64Array(others.length);
	const norm = squaredLength(vector);
	for (let at = 0; at < others.length; at += 4) {
		const a = others[at] ?? vector;
		const b = others[at + 1] ?? a;
		const c = others[at + 2] ?? a;
		const d = others[at + 3] ?? a;
		let dotA = 0;
		let dotB = 0;
		let dotC = 0;
		let dotD = 0;
		for (let i = 0; i < vector.length; i++) {
			const value = vector[i] ?? 0;
			dotA += value * (a[i] ?? 0);
			dotB += value * (b[i] ?? 0);
			dotC += value * (c[i] ?? 0);
			dotD += value * (d[i] ?? 0);
		}
		// Beyond the end of the array these are ignored.
		found[at] = scaled(dotA, norm, squaredLength(a));
		found[at + 1] = scaled(dotB, norm, squaredLength(b));
		found[at + 2] = scaled(dotC, norm, squaredLength(c));
		found[at + 3] = scaled(dotD, norm, squaredLength(d));
	}
	return found;
}

function scaled(dot: number, normA: number, normB: number): number {
	return normA > 0 && normB > 0 ? dot / Math.sqrt(normA * normB) : 0;
}

/** A cosine on the scale of its space, from 0 to 1: 0 for unrelated texts, 1 for a paraphrase or better. */
export function affinity(similarity: number, calibration: Calibration): number {
	return Math.min(1, Math.max(0, nearness(similarity, calibration)));
}

/**
 * Like `affinity`, but not limited to 0 and 1: greater than 1 for texts more similar than a usual paraphrase, and down to -1 for texts
 * less similar than unrelated ones usually are. The difference matters, since of two texts that share no word with a question the more
 * similar one answers it more often. 0 if the calibration is unusable.
 */
export function nearness(similarity: number, { unrelated, related }: Calibration): number {
	const scaled = (similarity - unrelated) / (related - unrelated);
	return Number.isFinite(scaled) ? Math.max(-1, scaled) : 0;
}

/** What is wrong with a vector for a space, as an error message, or null. One NaN would corrupt a whole index. */
export function vectorFault(vector: Vector, space: EmbeddingSpace): string | null {
	if (vector.length !== space.dimensions) return `has ${vector.length} dimensions instead of ${space.dimensions}`;
	let norm = 0;
	for (let i = 0; i < vector.length; i++) norm += (vector[i] ?? 0) ** 2;
	// The squares of 32-bit floats cannot overflow a 64-bit sum, so the sum is only infinite or NaN if the vector has such a value.
	if (!Number.isFinite(norm)) return "contains a number that is not finite";
	return norm > 0 ? null : "is all zeros";
}
