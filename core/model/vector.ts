/** Vectors, their embedding spaces, and how similar two vectors are. */

export type Vector = Float32Array;

/** Vectors of two spaces are never compared. */
export interface EmbeddingSpace {
	/** Names model and settings, such as `hashing-2`: vectors with another name are different. */
	readonly name: string;
	readonly dimensions: number;
	readonly metric: "cosine";
	/** The usual cosines of unrelated and related texts, for turning a cosine into relevance. */
	readonly calibration: Calibration;
}

export interface Calibration {
	/** The cosine that two texts without a shared subject usually reach. */
	readonly unrelated: number;
	/** The cosine of a question and the passage that answers it, or of a paraphrase. */
	readonly related: number;
	/**
	 * How much a full affinity adds to what the words say, from 0 to 1: 1 for a model that knows meanings, less for one
	 * that only sees the same letters again.
	 */
	readonly weight: number;
}

/** What is wrong with a calibration, in words, or null. A number that is missing would make every score of a search NaN. */
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
		const x = a[i] ?? 0;
		const y = b[i] ?? 0;
		dot += x * y;
		normA += x * x;
		normB += y * y;
	}
	return normA > 0 && normB > 0 ? dot / Math.sqrt(normA * normB) : 0;
}

/** A cosine on the scale of its space: 0 for unrelated texts, 1 for a paraphrase or better. */
export function affinity(similarity: number, calibration: Calibration): number {
	return Math.min(1, Math.max(0, nearness(similarity, calibration)));
}

/**
 * The same, but a paraphrase that is nearer than most goes beyond 1, and what is farther than unrelated texts usually are goes below 0:
 * of two texts that share no word with a question the nearer one answers it more often. 0 where the space does not tell texts apart.
 */
export function nearness(similarity: number, { unrelated, related }: Calibration): number {
	const share = (similarity - unrelated) / (related - unrelated);
	return Number.isFinite(share) ? Math.max(-1, share) : 0;
}

/** What is wrong with a vector for a space, in words, or null. One NaN would poison a whole index. */
export function vectorFault(vector: Vector, space: EmbeddingSpace): string | null {
	if (vector.length !== space.dimensions) return `has ${vector.length} dimensions instead of ${space.dimensions}`;
	let norm = 0;
	for (let i = 0; i < vector.length; i++) norm += (vector[i] ?? 0) ** 2;
	// The squares of 32-bit floats cannot overflow, so only what is not finite makes a sum that is not.
	if (!Number.isFinite(norm)) return "holds a number that is not finite";
	return norm > 0 ? null : "is all zeros";
}
