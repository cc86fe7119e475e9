/** Transcribes a recording in the process of the model. Errors are returned and not thrown, so that the process keeps the model loaded. */

import { type Engine, ServiceError } from "cairn-memory";
import type { Cue } from "../../../formats/media/cue.ts";
import type { Transcript } from "../transcription/response.ts";
import type { WhisperFolder } from "./find-whisper.ts";
import { samplesPerSecond, windowSeconds } from "./log-mel.ts";
import { openWhisper } from "./open-whisper.ts";
import { type AudioFormat, samplesOf } from "./samples-of.ts";
import { transcribeWindow } from "./transcribe-window.ts";

export interface WhisperInput {
	readonly model: WhisperFolder;
	readonly threads: number;
	readonly bytes: Uint8Array;
	readonly format: AudioFormat;
}

export type WhisperOutput = { readonly transcript: Transcript } | { readonly modelError: string } | { readonly fileError: string };

/** Audio shorter than this contains no speech. */
const secondsMin = 0.1;

const engine: Engine<WhisperInput, WhisperOutput> = async ({ model, threads, bytes, format }, report) => {
	try {
		const samples = await samplesOf(bytes, format);
		const total = Math.ceil(samples.length / samplesPerSecond);
		const whisper = await openWhisper(model, threads);
		const cues: Cue[] = [];
		let language: string | null = null;
		for (let windowStart = 0; samples.length / samplesPerSecond - windowStart > secondsMin; ) {
			report({ done: Math.floor(windowStart), total, unit: "second" });
			const firstSample = Math.round(windowStart * samplesPerSecond);
			const window = await transcribeWindow(samples.subarray(firstSample, firstSample + windowSeconds * samplesPerSecond), model.melBins, whisper, language);
			language ??= window.language;
			for (const { begin, end, text } of window.segments)
				cues.push({ begin: rounded(windowStart + begin), end: rounded(Math.min(windowStart + end, total)), speaker: null, text });
			windowStart += window.next;
		}
		return { transcript: { cues, text: cues.map(({ text }) => text).join(" "), language } };
	} catch (thrown) {
		if (thrown instanceof ServiceError && thrown.code === "FILE_BROKEN") return { fileError: String(thrown.args[0] ?? thrown.message) };
		return { modelError: thrown instanceof Error ? thrown.message : String(thrown) };
	}
};

export default engine;

function rounded(seconds: number): number {
	return Math.round(seconds * 1_000) / 1_000;
}
