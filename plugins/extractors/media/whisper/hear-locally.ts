/** What a Whisper model on this machine hears in a recording. */

import { fail, type Host, type MediaType, type OwnProcess, type Step } from "cairn-memory";
import { askModel } from "../../../local-models/ask-model.ts";
import type { Transcript } from "../transcription/answer.ts";
import type { WhisperInput, WhisperOutput } from "./engine.ts";
import type { WhisperFolder } from "./find-whisper.ts";
import type { SoundForm } from "./samples-of.ts";

export interface Listener {
	readonly model: WhisperFolder;
	readonly process: OwnProcess;
	readonly threads: number;
	readonly memoryMb: number;
	readonly timeoutMs: number;
}

const engine = new URL("./engine.ts", import.meta.url);

const forms: Readonly<Record<MediaType, SoundForm>> = { "audio/wav": "wave", "audio/mpeg": "mp3" };

/** Other sound is packed in ways for which there is no decoder here. */
export function canHear(mediaType: MediaType): boolean {
	return forms[mediaType] !== undefined;
}

export async function hearLocally(bytes: Uint8Array, mediaType: MediaType, listener: Listener, { log }: Pick<Host, "log">, step: Step): Promise<Transcript> {
	const form = forms[mediaType];
	if (form === undefined) throw fail("TRANSCRIPTION_UNAVAILABLE");
	const { model, process, threads } = listener;
	const input: WhisperInput = { model, threads, bytes, form };
	const began = performance.now();
	const output = await askModel<WhisperInput, WhisperOutput>(process, model.name, { engine, input, signal: step.signal, progress: step.progress }, listener);
	if ("complaint" in output) throw fail("MODEL_FOLDER_BROKEN", model.name, output.complaint);
	if ("damage" in output) throw fail("FILE_BROKEN", output.damage);
	log("info", "a recording was heard", { model: model.name, cues: output.transcript.cues.length, ms: Math.round(performance.now() - began) });
	return output.transcript;
}
