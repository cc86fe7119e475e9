/** Transcribes a recording with a Whisper model on this machine. */

import { fail, type Host, type MediaType, type OwnProcess, type Step } from "cairn-memory";
import { askModel } from "../../../local-models/ask-model.ts";
import type { Transcript } from "../transcription/response.ts";
import type { WhisperInput, WhisperOutput } from "./engine.ts";
import type { WhisperFolder } from "./find-whisper.ts";
import type { AudioFormat } from "./samples-of.ts";

export interface LocalWhisper {
	readonly model: WhisperFolder;
	readonly process: OwnProcess;
	readonly threads: number;
	readonly memoryMb: number;
	readonly timeoutMs: number;
}

const engine = new URL("./engine.ts", import.meta.url);

const audioFormats: Readonly<Record<MediaType, AudioFormat>> = { "audio/wav": "wave", "audio/mpeg": "mp3" };

/** Whether there is a decoder for this format on this machine. */
export function canDecode(mediaType: MediaType): boolean {
	return audioFormats[mediaType] !== undefined;
}

export async function transcribeLocally(
	bytes: Uint8Array,
	mediaType: MediaType,
	localModel: LocalWhisper,
	{ log }: Pick<Host, "log">,
	step: Step,
): Promise<Transcript> {
	const format = audioFormats[mediaType];
	if (format === undefined) throw fail("TRANSCRIPTION_UNAVAILABLE");
	const { model, process, threads } = localModel;
	const input: WhisperInput = { model, threads, bytes, format };
	const startedAt = performance.now();
	const output = await askModel<WhisperInput, WhisperOutput>(process, model.name, { engine, input, signal: step.signal, progress: step.progress }, localModel);
	if ("modelError" in output) throw fail("MODEL_FOLDER_BROKEN", model.name, output.modelError);
	if ("fileError" in output) throw fail("FILE_BROKEN", output.fileError);
	log("info", "a recording was transcribed", { model: model.name, cues: output.transcript.cues.length, ms: Math.round(performance.now() - startedAt) });
	return output.transcript;
}
