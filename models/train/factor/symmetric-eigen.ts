/** Eigenvalues and eigenvectors of a small symmetric matrix by Jacobi's rotations: slow for thousands, exact and short for hundreds. */

export interface Eigen {
	/** The largest by absolute value first. */
	readonly values: readonly number[];
	/** `vectors[i]` belongs to `values[i]` and has unit length. */
	readonly vectors: readonly Float64Array[];
}

const sweepsMax = 30;
const smallEnough = 1e-18;

/** `matrix` is changed: row by row, `size × size`. */
export function symmetricEigen(matrix: Float64Array, size: number): Eigen {
	const vectors = Array.from({ length: size }, (_, i) => new Float64Array(size).fill(1, i, i + 1));
	for (let sweep = 0; sweep < sweepsMax && outsideDiagonal(matrix, size) > smallEnough * squares(matrix); sweep++) {
		for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(matrix, vectors, size, p, q);
	}
	const order = [...vectors.keys()].sort((a, b) => Math.abs(matrix[b * size + b] ?? 0) - Math.abs(matrix[a * size + a] ?? 0));
	return { values: order.map((i) => matrix[i * size + i] ?? 0), vectors: order.map((i) => vectors[i] ?? new Float64Array(size)) };
}

/** Turns the axes `p` and `q` so that the matrix has a zero where they meet. */
function rotate(matrix: Float64Array, vectors: readonly Float64Array[], size: number, p: number, q: number): void {
	const met = matrix[p * size + q] ?? 0;
	if (met === 0) return;
	const theta = ((matrix[q * size + q] ?? 0) - (matrix[p * size + p] ?? 0)) / (2 * met);
	const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
	const cosine = 1 / Math.sqrt(tangent * tangent + 1);
	const sine = tangent * cosine;
	for (let k = 0; k < size; k++) turn(matrix, k * size + p, k * size + q, cosine, sine);
	for (let k = 0; k < size; k++) turn(matrix, p * size + k, q * size + k, cosine, sine);
	const [first, second] = [vectors[p], vectors[q]];
	if (first === undefined || second === undefined) return;
	for (let k = 0; k < size; k++) {
		const x = first[k] ?? 0;
		const y = second[k] ?? 0;
		first[k] = cosine * x - sine * y;
		second[k] = sine * x + cosine * y;
	}
}

function turn(values: Float64Array, a: number, b: number, cosine: number, sine: number): void {
	const x = values[a] ?? 0;
	const y = values[b] ?? 0;
	values[a] = cosine * x - sine * y;
	values[b] = sine * x + cosine * y;
}

function outsideDiagonal(matrix: Float64Array, size: number): number {
	let sum = 0;
	for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) if (i !== j) sum += (matrix[i * size + j] ?? 0) ** 2;
	return sum;
}

function squares(matrix: Float64Array): number {
	return matrix.reduce((sum, value) => sum + value * value, 0);
}
