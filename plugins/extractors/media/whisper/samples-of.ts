/** Decodes a recording into the samples Whisper expects: mono at 16 kHz. WAV is read here, MP3 by mpg123 in WebAssembly. */

import { fail } from "cairn-memory";
import { byteView } from "../../../formats/media/byte-view.ts";
import { samplesPerSecond } from "./log-mel.ts";

export type AudioFormat = "wave" | "mp3";

interface DecodedAudio {
	readonly channels: readonly Float32Array[];
	readonly rate: number;
}

/** At most a day. */
const secondsMax = 24 * 60 * 60;
/** Input samples on each side from which one output sample is interpolated. */
const halfWidth = 16;

/** @throws ServiceError `FILE_BROKEN` */
export async function samplesOf(bytes: Uint8Array, form: AudioFormat): Promise<Float32Array> {
	const { channels, rate } = form === "wave" ? readWave(bytes) : await readMp3(bytes);
	const [first = new Float32Array()] = channels;
	if (rate <= 0 || first.length / rate > secondsMax) throw fail("FILE_BROKEN", "its sound has no length that could be");
	return resample(channels.length === 1 ? first : mixDown(channels), rate, samplesPerSecond);
}

const pcm = 1;
const float = 3;
const extensible = 0xfffe;

function readWave(bytes: Uint8Array): DecodedAudio {
	const view = byteView(bytes);
	if (view.name(0) !== "RIFF" || view.name(8) !== "WAVE") throw fail("FILE_BROKEN", "it is no wave");
	let format: { readonly code: number; readonly count: number; readonly rate: number; readonly bits: number } | null = null;
	for (let at = 12; at + 8 <= view.length; ) {
		const size = view.u32Little(at + 4);
		const start = at + 8;
		if (view.name(at) === "fmt ") {
			const two = (place: number) => view.u8(start + place) + view.u8(start + place + 1) * 256;
			format = { code: two(0) === extensible ? two(24) : two(0), count: two(2), rate: view.u32Little(start + 4), bits: two(14) };
		}
		if (view.name(at) === "data") {
			if (format === null || format.count === 0) break;
			return { channels: channelsOf(view.slice(start, start + size), format), rate: format.rate };
		}
		at = start + size + (size % 2);
	}
	throw fail("FILE_BROKEN", "it has no sound");
}

function channelsOf(
	data: Uint8Array,
	{ code, count, bits }: { readonly code: number; readonly count: number; readonly bits: number },
): readonly Float32Array[] {
	const width = bits / 8;
	const read = readerOf(new DataView(data.buffer, data.byteOffset, data.byteLength), code, bits);
	const length = Math.floor(data.byteLength / (width * count));
	return Array.from({ length: count }, (_, channel) => Float32Array.from({ length }, (_sample, i) => read((i * count + channel) * width)));
}

function readerOf(view: DataView, code: number, bits: number): (at: number) => number {
	if (code === float && bits === 32) return (at) => view.getFloat32(at, true);
	if (code === float && bits === 64) return (at) => view.getFloat64(at, true);
	if (code === pcm && bits === 8) return (at) => (view.getUint8(at) - 128) / 128;
	if (code === pcm && bits === 16) return (at) => view.getInt16(at, true) / 2 ** 15;
	if (code === pcm && bits === 24) return (at) => (view.getUint8(at) + view.getInt16(at + 1, true) * 256) / 2 ** 23;
	if (code === pcm && bits === 32) return (at) => view.getInt32(at, true) / 2 ** 31;
	throw fail("FILE_BROKEN", `its sound is in a form that is not read here (${code}, ${bits} bits)`);
}

async function readMp3(bytes: Uint8Array): Promise<DecodedAudio> {
	const { MPEGDecoder } = await import("mpg123-decoder");
	const decoder = new MPEGDecoder();
	await decoder.ready;
	try {
		const { channelData, sampleRate } = decoder.decode(bytes);
		if ((channelData[0]?.length ?? 0) === 0) throw fail("FILE_BROKEN", "it has no sound");
		return { channels: channelData, rate: sampleRate };
	} finally {
		decoder.free();
	}
}

function mixDown(channels: readonly Float32Array[]): Float32Array {
	const [first = new Float32Array()] = channels;
	return first.map((_, i) => channels.reduce((sum, channel) => sum + (channel[i] ?? 0), 0) / channels.length);
}

/** Resamples with a windowed sinc, which also filters out frequencies above the new Nyquist limit. */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
	if (from === to) return samples;
	const ratio = from / to;
	const stretch = Math.max(1, ratio);
	const width = Math.ceil(halfWidth * stretch);
	return Float32Array.from({ length: Math.floor(samples.length / ratio) }, (_, i) => {
		const place = i * ratio;
		const start = Math.ceil(place - width);
		let sum = 0;
		let whole = 0;
		for (let at = start; at <= place + width; at++) {
			const weight = kernel((at - place) / stretch);
			whole += weight;
			sum += weight * (samples[at] ?? 0);
		}
		return whole === 0 ? 0 : sum / whole;
	});
}

function kernel(distance: number): number {
	if (distance === 0) return 1;
	if (Math.abs(distance) >= halfWidth) return 0;
	const turn = Math.PI * distance;
	return (Math.sin(turn) / turn) * (0.5 + 0.5 * Math.cos(turn / halfWidth));
}
