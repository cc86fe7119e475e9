/**
 * Thirty seconds of audio → Whisper's input, a log-mel spectrogram with a hundred frames a second (Radford et al. 2022, appendix;
 * mel filters as in Slaney's Auditory Toolbox, 1998).
 */

export const samplesPerSecond = 16_000;
export const windowSeconds = 30;
const frameSamples = 400;
const hopSamples = 160;
const framesPerWindow = (windowSeconds * samplesPerSecond) / hopSamples;
const bins = frameSamples / 2 + 1;
/** In powers of ten: anything quieter than the loudest value by more counts as silence. */
const range = 8;
const least = 1e-10;

/** One row for each mel band. */
export function logMel(samples: Float32Array, bands: number): Float32Array {
	const sound = padded(samples);
	const filters = filtersOf(bands);
	const mel = new Float32Array(bands * framesPerWindow);
	const power = new Float64Array(bins);
	let loudest = Number.NEGATIVE_INFINITY;
	for (let frame = 0; frame < framesPerWindow; frame++) {
		powerOf(sound, frame * hopSamples, power);
		for (const [band, { first, weights }] of filters.entries()) {
			let energy = 0;
			for (let i = 0; i < weights.length; i++) energy += (weights[i] ?? 0) * (power[first + i] ?? 0);
			const value = Math.log10(Math.max(least, energy));
			mel[band * framesPerWindow + frame] = value;
			if (value > loudest) loudest = value;
		}
	}
	return mel.map((value) => (Math.max(value, loudest - range) + 4) / 4);
}

/** Pads with silence up to the window's length, and with half a mirrored frame at both ends. */
function padded(samples: Float32Array): Float32Array {
	const length = windowSeconds * samplesPerSecond;
	const half = frameSamples / 2;
	const sound = new Float32Array(length + frameSamples);
	sound.set(samples.subarray(0, length), half);
	for (let i = 1; i <= half; i++) {
		sound[half - i] = sound[half + i] ?? 0;
		sound[half + length - 1 + i] = sound[half + length - 1 - i] ?? 0;
	}
	return sound;
}

const hann = Float64Array.from({ length: frameSamples }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / frameSamples));
const cosines = Float64Array.from({ length: frameSamples }, (_, i) => Math.cos((2 * Math.PI * i) / frameSamples));
const sines = Float64Array.from({ length: frameSamples }, (_, i) => Math.sin((2 * Math.PI * i) / frameSamples));
const evens = new Float64Array(bins);
const odds = new Float64Array(bins);

/** The power spectrum of one frame, by a discrete Fourier transform of 400 real numbers. Cosines are even and sines odd, which halves the products. */
function powerOf(sound: Float32Array, start: number, power: Float64Array): void {
	for (let i = 0; i <= frameSamples / 2; i++) {
		const mirrored = i === 0 || i === frameSamples / 2 ? 0 : (sound[start + frameSamples - i] ?? 0) * (hann[frameSamples - i] ?? 0);
		const own = (sound[start + i] ?? 0) * (hann[i] ?? 0);
		evens[i] = own + mirrored;
		odds[i] = own - mirrored;
	}
	for (let bin = 0; bin < bins; bin++) {
		let real = 0;
		let imaginary = 0;
		for (let i = 0, turn = 0; i < bins; i++, turn = (turn + bin) % frameSamples) {
			real += (evens[i] ?? 0) * (cosines[turn] ?? 0);
			imaginary += (odds[i] ?? 0) * (sines[turn] ?? 0);
		}
		power[bin] = real * real + imaginary * imaginary;
	}
}

interface Filter {
	readonly first: number;
	readonly weights: readonly number[];
}

const known = new Map<number, readonly Filter[]>();

/** Triangular filters of equal area, evenly spaced on the mel scale. */
function filtersOf(bands: number): readonly Filter[] {
	const before = known.get(bands);
	if (before !== undefined) return before;
	const top = melOf(samplesPerSecond / 2);
	const edges = Array.from({ length: bands + 2 }, (_, i) => hertzOf((top * i) / (bands + 1)));
	const filters = Array.from({ length: bands }, (_, band) => filterBetween(edges[band] ?? 0, edges[band + 1] ?? 0, edges[band + 2] ?? 0));
	known.set(bands, filters);
	return filters;
}

function filterBetween(low: number, middle: number, high: number): Filter {
	const weightAt = (bin: number) => {
		const hertz = (bin * samplesPerSecond) / frameSamples;
		return (Math.max(0, Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle))) * 2) / (high - low);
	};
	const weights = Array.from({ length: bins }, (_, bin) => weightAt(bin));
	const first = Math.max(
		0,
		weights.findIndex((weight) => weight > 0),
	);
	return { first, weights: weights.slice(first, weights.findLastIndex((weight) => weight > 0) + 1) };
}

/** The mel scale is linear up to 1,000 Hz and logarithmic above. */
const linearHertz = 200 / 3;
const logStep = Math.log(6.4) / 27;

function melOf(hertz: number): number {
	return hertz < 1_000 ? hertz / linearHertz : 15 + Math.log(hertz / 1_000) / logStep;
}

function hertzOf(mel: number): number {
	return mel < 15 ? mel * linearHertz : 1_000 * Math.exp(logStep * (mel - 15));
}
