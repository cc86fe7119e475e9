/** Checks, in the model's own process, which texts the model would read without truncation. Only the tokenizer is loaded. */

import type { Engine } from "cairn-memory";
import type { ModelFolder } from "../../local-models/model-folder.ts";
import { type Encoder, openEncoder } from "../../local-models/tokens.ts";

export interface FitsInput {
	readonly model: ModelFolder;
	readonly texts: readonly string[];
}

/** `fits`: for each text, whether it is read without truncation. */
export type FitsOutput = { readonly fits: readonly boolean[] } | { readonly modelError: string };

/** A process serves one model. */
let opened: Promise<Encoder> | null = null;

const engine: Engine<FitsInput, FitsOutput> = async ({ model, texts }) => {
	try {
		opened ??= openEncoder(model);
		const { fits } = await opened;
		return { fits: texts.map(fits) };
	} catch (thrown) {
		opened = null;
		return { modelError: thrown instanceof Error ? thrown.message : String(thrown) };
	}
};

export default engine;
