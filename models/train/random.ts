/** Numbers that look random and follow from a seed: the same run gives the same file. */

export interface Random {
	/** From 0 up to 1, without 1. */
	readonly next: () => number;
	/** A whole number from 0 up to `bound`, without `bound`. */
	readonly below: (bound: number) => number;
	/** From the normal distribution with mean 0 and variance 1. */
	readonly normal: () => number;
}

/**
 * The small fast counter of Doty-Humphrey (sfc32), started from the seeds in order. Each step of the training starts one
 * of its own from the seed and its number, so that a run that goes on needs no state of it.
 */
export function createRandom(...seeds: readonly number[]): Random {
	let a = 0x9e3779b9;
	let b = 0x243f6a88;
	let c = 0xb7e15162;
	let counter = 1;
	const draw = (): number => {
		const sum = (((a + b) | 0) + counter++) | 0;
		a = b ^ (b >>> 9);
		b = (c + (c << 3)) | 0;
		c = (((c << 21) | (c >>> 11)) + sum) | 0;
		return (sum >>> 0) / 2 ** 32;
	};
	for (const seed of seeds) {
		a ^= seed | 0;
		for (let i = 0; i < 12; i++) draw();
	}
	return {
		next: draw,
		below: (bound) => Math.floor(draw() * bound),
		normal: () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw()),
	};
}
