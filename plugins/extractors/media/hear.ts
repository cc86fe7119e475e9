/** A recording → its words: subtitles or lyrics inside of it, and only where there are none what a service hears in it. */

import { type Extraction, type Extractor, type ExtractorSource, fail, type Host, limits, type MediaType, type Step } from "cairn-memory";
import type { Cue } from "../../formats/media/cue.ts";
import type { Form } from "../../formats/media/read-recording.ts";
import type { Inspected, RecordingInput } from "../../formats/media/recording-engine.ts";
import { extractionOfCues, extractionOfWords } from "../../formats/media/recording-extraction.ts";
import { recordingSignatures } from "../../formats/media/signatures.ts";
import type { Sound } from "../../formats/media/sounds-to-hear.ts";
import { bytesOf, typesAndSignatures } from "../read-in-sandbox.ts";
import type { Transcript } from "./transcription/answer.ts";
import { type Service, transcribe } from "./transcription/transcribe.ts";
import { canHear, hearLocally, type Listener } from "./whisper/hear-locally.ts";

/** Formats we can look into. Of others the media type says whether there is something to see. */
const forms: Readonly<Record<MediaType, Form>> = {
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

/** 50 MB are walked in a second; a million subtitles take most of the time. */
const bounds = { timeoutMs: 60_000, memoryMb: 1_024 } as const;
const outputBytesMax = limits.extractedCharactersMax * 4;

/** Who hears what has no words in it; a service goes before a model on this machine. */
export interface Ears {
	readonly service: Service | null;
	readonly listener: Listener | null;
}

export function recordingsOf(ears: Ears, host: Host): Extractor {
	return { name: "recordings", ...typesAndSignatures(recordingSignatures), extract: (source, step) => hear(source, ears, host, step) };
}

async function hear(source: ExtractorSource, { service, listener }: Ears, host: Host, step: Step): Promise<Extraction> {
	const bytes = await bytesOf(source);
	const { mediaType } = source;
	const form = forms[mediaType] ?? (mediaType.startsWith("audio/") ? "other-audio" : "other-video");
	const { reading, facts, warnings, damage, sounds } = await host.sandbox.run<RecordingInput, Inspected>({
		engine: new URL("../../formats/media/recording-engine.ts", import.meta.url),
		input: { bytes, form, heardBytesMax: service?.bytesMax ?? null },
		signal: step.signal,
		outputBytesMax,
		...bounds,
	});
	for (const { code, message, place } of warnings) step.warn(code, message, place);
	if (reading !== null) return reading.extraction;
	const { cues, text, language } = await transcriptOf();
	return cues.length > 0 ? extractionOfCues(facts, cues, language) : extractionOfWords(facts, text, language);

	async function transcriptOf(): Promise<Transcript> {
		if (service !== null) return hearAll(sounds ?? [{ bytes, mediaType, begin: 0 }], service, host, step);
		if (listener !== null && canHear(mediaType)) return hearLocally(bytes, mediaType, listener, host, step);
		throw damage === null ? fail("TRANSCRIPTION_UNAVAILABLE") : fail("FILE_BROKEN", damage);
	}
}

/** One after the other, as one transcript. */
async function hearAll(sounds: readonly Sound[], service: Service, host: Host, step: Step): Promise<Transcript> {
	const total = sounds.length;
	const heard: Transcript[] = [];
	for (const sound of sounds) {
		step.progress({ done: heard.length, total, unit: "part" });
		heard.push(await transcribe(sound, service, host, step));
	}
	step.progress({ done: total, total, unit: "part" });
	const hasTimes = heard.some(({ cues }) => cues.length > 0);
	return {
		cues: hasTimes ? heard.flatMap((transcript, index) => shifted(transcript, sounds[index]?.begin ?? 0)) : [],
		text: heard.map(({ text }) => text).join("\n\n"),
		language: heard.find(({ language }) => language !== null)?.language ?? null,
	};
}

/** A piece without times is a cue of its own. */
function shifted({ cues, text }: Transcript, by: number): readonly Cue[] {
	if (cues.length === 0 && text !== "") return [{ begin: by, end: null, speaker: null, text }];
	const later = (seconds: number | null) => (seconds === null ? null : Math.round((seconds + by) * 1000) / 1000);
	return cues.map((cue) => ({ ...cue, begin: later(cue.begin), end: later(cue.end) }));
}
