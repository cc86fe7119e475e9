/** Decodes a recording to the samples that Whisper expects: mono at 16 kHz. WAV is decoded here, MP3 by mpg123 in WebAssembly. */

import { fail } from "cairn-memory";
import { byteView } from "../../../formats/media/byte-view.ts";
import { samplesPerSecond } from "./log-mel.ts";

export type AudioFormat = "wave" | "mp3";

interface DecodedAudio {
	readonly channels: readonly Float32Array[];
	readonly rate: number;
}

/** The longest audio: a day. */
const secondsMax = 24 * 60 * 60;
/** The number of input samples on each side from which one output sample is interpolated. */
const halfWidth = 16;

/** @throws ServiceError `FILE_BROKEN` */
export async function samplesOf(bytes: Uint8Array, audioFormat: AudioFormat): Promise<Float32Array> {
	const { channels, rate } = audioFormat === "wave" ? readWave(bytes) : await readMp3(bytes);
	const [first = new Float32Array()] = channels;
	if (rate <= 0 || first.length / rate > secondsMax) throw fail("FILE_BROKEN", "its audio has an impossible length");
	return resample(channels.length === 1 ? first : mixDown(channels), rate, samplesPerSecond);
}

const pcm = 1;
const float = 3;
const extensible = 0xfffe;

function readWave(bytes: Uint8Array): DecodedAudio {
	const view = byteView(bytes);
	if (view.name(0) !== "RIFF" || view.name(8) !== "WAVE") throw fail("FILE_BROKEN", "it is not a WAV file");
	let format: { readonly code: number; readonly count: number; readonly rate: number; readonly bits: number } | null = null;
	for (let offset = 12; offset + 8 <= view.length; ) {
		const size = view.u32Little(offset + 4);
		const start = offset + 8;
		if (view.name(offset) === "fmt ") {
			const readUint16 = (position: number) => view.u8(start + position) + view.u8(start + position + 1) * 256;
			format = {
				code: readUint16(0) === extensible ? readUint16(24) : readUint16(0),
				count: readUint16(2),
				rate: view.u32Little(start + 4),
				bits: readUint16(14),
			};
		}
		if (view.name(offset) === "data") {
			if (format === null || format.count === 0) break;
			return { channels: channelsOf(view.slice(start, start + size), format), rate: format.rate };
		}
		offset = start + size + (size % 2);
	}
	throw fail("FILE_BROKEN", "it has no sound");
}

function channelsOf(
	data: Uint8Array,
	{ code, count, bits }: { readonly code: number; readonly count: number; readonly bits: number },
): readonly Float32Array[] {
	const bytesPerSample = bits / 8;
	const read = readerOf(new DataView(data.buffer, data.byteOffset, data.byteLength), code, bits);
	const length = Math.floor(data.byteLength / (bytesPerSample * count));
	return Array.from({ length: count }, (_, channel) => Float32Array.from({ length }, (_sample, i) => read((i * count + channel) * bytesPerSample)));
}

function readerOf(view: DataView, code: number, bits: number): (offset: number) => number {
	if (code === float && bits === 32) return (offset) => view.getFloat32(offset, true);
	if (code === float && bits === 64) return (offset) => view.getFloat64(offset, true);
	if (code === pcm && bits === 8) return (offset) => (view.getUint8(offset) - 128) / 128;
	if (code === pcm && bits === 16) return (offset) => view.getInt16(offset, true) / 2 ** 15;
	if (code === pcm && bits === 24) return (offset) => (view.getUint8(offset) + view.getInt16(offset + 1, true) * 256) / 2 ** 23;
	if (code === pcm && bits === 32) return (offset) => view.getInt32(offset, true) / 2 ** 31;
	throw fail("FILE_BROKEN", `its audio is in an unsupported WAV format (${code}, ${bits} bits)`);
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
	const scale = Math.max(1, ratio);
	const bytesPerSample = Math.ceil(halfWidth * scale);
	return Float32Array.from({ length: Math.floor(samples.length / ratio) }, (_, i) => {
		const position = i * ratio;
		const start = Math.ceil(position - bytesPerSample);
		let sum = 0;
		let weightSum = 0;
		for (let offset = start; offset <= position + bytesPerSample; offset++) {
			const weight = kernel((offset - position) / scale);
			weightSum += weight;
			sum += weight * (samples[offset] ?? 0);
		}
		return weightSum === 0 ? 0 : sum / weightSum;
	});
}

function kernel(distance: number): number {
	if (distance === 0) return 1;
	if (Math.abs(distance) >= halfWidth) return 0;
	const angle = Math.PI * distance;
	return (Math.sin(angle) / angle) * (0.5 + 0.5 * Math.cos(angle / halfWidth));
}
