/** Extracts the text of a recording: its subtitles or lyrics or, if there are none, a transcript. */

import { type Extraction, type Extractor, type ExtractorSource, fail, type Host, limits, type MediaType, type Step } from "cairn-memory";
import type { AudioPart } from "../../formats/media/audio-parts.ts";
import type { Cue } from "../../formats/media/cue.ts";
import type { ContainerFormat } from "../../formats/media/read-recording.ts";
import type { InspectedRecording, RecordingInput } from "../../formats/media/recording-engine.ts";
import { extractionOfCues, extractionOfWords } from "../../formats/media/recording-extraction.ts";
import { recordingSignatures } from "../../formats/media/signatures.ts";
import { bytesOf, typesAndSignatures } from "../read-in-sandbox.ts";
import type { Transcript } from "./transcription/response.ts";
import { type Service, transcribe } from "./transcription/transcribe.ts";
import { canDecode, type LocalWhisper, transcribeLocally } from "./whisper/transcribe-locally.ts";

/** Container formats that can be parsed. For others the media type decides whether the recording has video. */
const containerFormats: Readonly<Record<MediaType, ContainerFormat>> = {
	"audio/flac": "flac",
	"audio/mp4": "mp4",
	"audio/mpeg": "mp3",
	"audio/ogg": "ogg",
	"audio/wav": "wave",
	"audio/webm": "matroska",
	"audio/x-matroska": "matroska",
	"video/3gpp": "mp4",
	"video/3gpp2": "mp4",
	"video/mp4": "mp4",
	"video/ogg": "ogg",
	"video/quicktime": "mp4",
	"video/webm": "matroska",
	"video/x-matroska": "matroska",
};

/** 50 MB are parsed in a second. Only files with about a million subtitles take much longer. */
const bounds = { timeoutMs: 60_000, memoryMb: 1_024 } as const;
const outputBytesMax = limits.extractedCharactersMax * 4;

/** The configured ways to transcribe speech. A service is preferred to a local model. */
export interface Transcribers {
	readonly service: Service | null;
	readonly localModel: LocalWhisper | null;
}

export function recordingsOf(transcribers: Transcribers, host: Host): Extractor {
	return { name: "recordings", ...typesAndSignatures(recordingSignatures), extract: (source, step) => transcribeRecording(source, transcribers, host, step) };
}

async function transcribeRecording(source: ExtractorSource, { service, localModel }: Transcribers, host: Host, step: Step): Promise<Extraction> {
	const bytes = await bytesOf(source);
	const { mediaType } = source;
	const format = containerFormats[mediaType] ?? (mediaType.startsWith("audio/") ? "other-audio" : "other-video");
	const { reading, metadata, warnings, damage, audioParts } = await host.sandbox.run<RecordingInput, InspectedRecording>({
		engine: new URL("../../formats/media/recording-engine.ts", import.meta.url),
		input: { bytes, format, audioBytesMax: service?.bytesMax ?? null },
		signal: step.signal,
		outputBytesMax,
		...bounds,
	});
	for (const { code, message, place } of warnings) step.warn(code, message, place);
	if (reading !== null) return reading.extraction;
	const { cues, text, language } = await transcriptOf();
	return cues.length > 0 ? extractionOfCues(metadata, cues, language) : extractionOfWords(metadata, text, language);

	async function transcriptOf(): Promise<Transcript> {
		if (service !== null) return transcribeAll(audioParts ?? [{ bytes, mediaType, begin: 0 }], service, host, step);
		if (localModel !== null && canDecode(mediaType)) return transcribeLocally(bytes, mediaType, localModel, host, step);
		throw damage === null ? fail("TRANSCRIPTION_UNAVAILABLE") : fail("FILE_BROKEN", damage);
	}
}

/** Transcribes the parts in order and joins the results. */
async function transcribeAll(audioParts: readonly AudioPart[], service: Service, host: Host, step: Step): Promise<Transcript> {
	const total = audioParts.length;
	const transcripts: Transcript[] = [];
	for (const part of audioParts) {
		step.progress({ done: transcripts.length, total, unit: "part" });
		transcripts.push(await transcribe(part, service, host, step));
	}
	step.progress({ done: total, total, unit: "part" });
	const hasTimes = transcripts.some(({ cues }) => cues.length > 0);
	return {
		cues: hasTimes ? transcripts.flatMap((transcript, index) => shiftTimes(transcript, audioParts[index]?.begin ?? 0)) : [],
		text: transcripts.map(({ text }) => text).join("\n\n"),
		language: transcripts.find(({ language }) => language !== null)?.language ?? null,
	};
}

/** The cues of a part, with times in the whole recording. A transcript without times becomes one cue. */
function shiftTimes({ cues, text }: Transcript, offsetSeconds: number): readonly Cue[] {
	if (cues.length === 0 && text !== "") return [{ begin: offsetSeconds, end: null, speaker: null, text }];
	const shift = (seconds: number | null) => (seconds === null ? null : Math.round((seconds + offsetSeconds) * 1000) / 1000);
	return cues.map((cue) => ({ ...cue, begin: shift(cue.begin), end: shift(cue.end) }));
}
