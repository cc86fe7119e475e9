/**
 * Converts thirty seconds of audio to Whisper's input, a log-mel spectrogram with a hundred frames per second (Radford et al. 2022,
 * appendix; mel filters as in Slaney's Auditory Toolbox, 1998).
 */

export const samplesPerSecond = 16_000;
export const windowSeconds = 30;
const frameSamples = 400;
const hopSamples = 160;
const framesPerWindow = (windowSeconds * samplesPerSecond) / hopSamples;
const bins = frameSamples / 2 + 1;
/** Anything quieter than the loudest value by more than this, in powers of ten, counts as silence. */
const rangeMax = 8;
const energyMin = 1e-10;

/** @returns one row for each mel band. */
export function logMel(samples: Float32Array, melBins: number): Float32Array {
	const audio = padded(samples);
	const filters = filtersOf(melBins);
	const mel = new Float32Array(melBins * framesPerWindow);
	const power = new Float64Array(bins);
	let loudest = Number.NEGATIVE_INFINITY;
	for (let frame = 0; frame < framesPerWindow; frame++) {
		powerOf(audio, frame * hopSamples, power);
		for (const [band, { first, weights }] of filters.entries()) {
			let energy = 0;
			for (let i = 0; i < weights.length; i++) energy += (weights[i] ?? 0) * (power[first + i] ?? 0);
			const value = Math.log10(Math.max(energyMin, energy));
			mel[band * framesPerWindow + frame] = value;
			if (value > loudest) loudest = value;
		}
	}
	return mel.map((value) => (Math.max(value, loudest - rangeMax) + 4) / 4);
}

/** Pads with silence up to the window's length, and with half a mirrored frame at both ends. */
function padded(samples: Float32Array): Float32Array {
	const length = windowSeconds * samplesPerSecond;
	const half = frameSamples / 2;
	const audio = new Float32Array(length + frameSamples);
	audio.set(samples.subarray(0, length), half);
	for (let i = 1; i <= half; i++) {
		audio[half - i] = audio[half + i] ?? 0;
		audio[half + length - 1 + i] = audio[half + length - 1 - i] ?? 0;
	}
	return audio;
}

const hann = Float64Array.from({ length: frameSamples }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / frameSamples));
const cosines = Float64Array.from({ length: frameSamples }, (_, i) => Math.cos((2 * Math.PI * i) / frameSamples));
const sines = Float64Array.from({ length: frameSamples }, (_, i) => Math.sin((2 * Math.PI * i) / frameSamples));
const evens = new Float64Array(bins);
const odds = new Float64Array(bins);

/** Computes the power spectrum of one frame by a discrete Fourier transform of 400 real numbers. Cosines are even and sines are odd, which halves the work. */
function powerOf(audio: Float32Array, start: number, power: Float64Array): void {
	for (let i = 0; i <= frameSamples / 2; i++) {
		const mirrored = i === 0 || i === frameSamples / 2 ? 0 : (audio[start + frameSamples - i] ?? 0) * (hann[frameSamples - i] ?? 0);
		const sample = (audio[start + i] ?? 0) * (hann[i] ?? 0);
		evens[i] = sample + mirrored;
		odds[i] = sample - mirrored;
	}
	for (let bin = 0; bin < bins; bin++) {
		let real = 0;
		let imaginary = 0;
		for (let i = 0, angle = 0; i < bins; i++, angle = (angle + bin) % frameSamples) {
			real += (evens[i] ?? 0) * (cosines[angle] ?? 0);
			imaginary += (odds[i] ?? 0) * (sines[angle] ?? 0);
		}
		power[bin] = real * real + imaginary * imaginary;
	}
}

interface Filter {
	readonly first: number;
	readonly weights: readonly number[];
}

const filtersByBands = new Map<number, readonly Filter[]>();

/** Triangular filters of equal area, evenly spaced on the mel scale. */
function filtersOf(melBins: number): readonly Filter[] {
	const cached = filtersByBands.get(melBins);
	if (cached !== undefined) return cached;
	const top = melOf(samplesPerSecond / 2);
	const edges = Array.from({ length: melBins + 2 }, (_, i) => hertzOf((top * i) / (melBins + 1)));
	const filters = Array.from({ length: melBins }, (_, band) => filterBetween(edges[band] ?? 0, edges[band + 1] ?? 0, edges[band + 2] ?? 0));
	filtersByBands.set(melBins, filters);
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
