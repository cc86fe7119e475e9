/** Finds a Whisper model in the models folder: its ONNX files and its generation settings. */

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fail } from "cairn-memory";
import { z } from "zod";

export interface WhisperFolder {
	readonly name: string;
	readonly encoderFile: string;
	readonly decoderFile: string;
	/** The decoder graph with cached keys and values, so that each further token costs only one step. */
	readonly decoderWithPastFile: string;
	readonly tokenizerFile: string;
	readonly tokenizerConfigFile: string | null;
	readonly melBins: number;
	/** Tokens that are never generated, and those that are not generated as the first token. */
	readonly suppressed: readonly number[];
	readonly suppressedFirst: readonly number[];
}

const config = z.object({ model_type: z.string(), num_mel_bins: z.number().int().positive().default(80) });
const generation = z.object({ suppress_tokens: z.array(z.number().int()).nullish(), begin_suppress_tokens: z.array(z.number().int()).nullish() });

/** The first model by name; null if there is none. @throws ServiceError `MODEL_FOLDER_BROKEN` */
export async function findWhisper(folder: string): Promise<WhisperFolder | null> {
	const entries = existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : [];
	const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name);
	for (const name of names.toSorted()) {
		const found = await readWhisper(join(folder, name));
		if (found !== null) return found;
	}
	return null;
}

async function readWhisper(folder: string): Promise<WhisperFolder | null> {
	const configResult = config.safeParse(await readJson(join(folder, "config.json")));
	if (!configResult.success || configResult.data.model_type !== "whisper") return null;
	const onnxFolder = existsSync(join(folder, "onnx")) ? join(folder, "onnx") : folder;
	const requireFile = (path: string) => {
		if (!existsSync(path)) throw fail("MODEL_FOLDER_BROKEN", basename(folder), `it has no ${basename(path)}`);
		return path;
	};
	const generationResult = generation.safeParse(await readJson(join(folder, "generation_config.json")));
	const tokenizerConfigFile = join(folder, "tokenizer_config.json");
	return {
		name: basename(folder),
		encoderFile: requireFile(join(onnxFolder, "encoder_model.onnx")),
		decoderFile: requireFile(join(onnxFolder, "decoder_model.onnx")),
		decoderWithPastFile: requireFile(join(onnxFolder, "decoder_with_past_model.onnx")),
		tokenizerFile: requireFile(join(folder, "tokenizer.json")),
		tokenizerConfigFile: existsSync(tokenizerConfigFile) ? tokenizerConfigFile : null,
		melBins: configResult.data.num_mel_bins,
		suppressed: generationResult.data?.suppress_tokens ?? [],
		suppressedFirst: generationResult.data?.begin_suppress_tokens ?? [],
	};
}

async function readJson(path: string): Promise<unknown> {
	try {
		return JSON.parse(await readFile(path, "utf8"));
	} catch {
		return null;
	}
}
