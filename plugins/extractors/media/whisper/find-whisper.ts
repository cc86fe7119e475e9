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
	/** Decodes with cached keys and values, so that each token costs one step. */
	readonly decoderWithPastFile: string;
	readonly tokenizerFile: string;
	readonly tokenizerConfigFile: string | null;
	readonly melBins: number;
	/** Tokens that are never generated, and those that are never generated first. */
	readonly suppressed: readonly number[];
	readonly suppressedFirst: readonly number[];
}

const config = z.object({ model_type: z.string(), num_mel_bins: z.number().int().positive().default(80) });
const generation = z.object({ suppress_tokens: z.array(z.number().int()).nullish(), begin_suppress_tokens: z.array(z.number().int()).nullish() });

/** The first by name; null when there is none. @throws ServiceError `MODEL_FOLDER_BROKEN` */
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
	const about = config.safeParse(await json(join(folder, "config.json")));
	if (!about.success || about.data.model_type !== "whisper") return null;
	const inner = existsSync(join(folder, "onnx")) ? join(folder, "onnx") : folder;
	const file = (path: string) => {
		if (!existsSync(path)) throw fail("MODEL_FOLDER_BROKEN", basename(folder), `it has no ${basename(path)}`);
		return path;
	};
	const rules = generation.safeParse(await json(join(folder, "generation_config.json")));
	const tokenizerConfigFile = join(folder, "tokenizer_config.json");
	return {
		name: basename(folder),
		encoderFile: file(join(inner, "encoder_model.onnx")),
		decoderFile: file(join(inner, "decoder_model.onnx")),
		decoderWithPastFile: file(join(inner, "decoder_with_past_model.onnx")),
		tokenizerFile: file(join(folder, "tokenizer.json")),
		tokenizerConfigFile: existsSync(tokenizerConfigFile) ? tokenizerConfigFile : null,
		melBins: about.data.num_mel_bins,
		suppressed: rules.data?.suppress_tokens ?? [],
		suppressedFirst: rules.data?.begin_suppress_tokens ?? [],
	};
}

async function json(file: string): Promise<unknown> {
	try {
		return JSON.parse(await readFile(file, "utf8"));
	} catch {
		return null;
	}
}
