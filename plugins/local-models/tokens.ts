/** Tokenises texts for a model, and truncates them to its limit while keeping special tokens. */

import { readFile } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import type { ModelFolder } from "./model-folder.ts";

export interface Encoded {
	readonly ids: readonly number[];
	/** Which of two texts each belongs to: 0 or 1. */
	readonly types: readonly number[];
}

export interface Encoder {
	readonly padId: number;
	readonly encode: (text: string) => Encoded;
	/** Whether nothing of it would be cut. */
	readonly fits: (text: string) => boolean;
	/** The second text gives way first; of a long first one half the room is left. */
	readonly encodePair: (first: string, second: string) => Encoded;
}

/** No script has more characters in a token; text beyond the limit is not tokenised. */
const charactersPerTokenMax = 32;

export async function openEncoder({ tokenizerFile, tokenizerConfigFile, tokensMax }: ModelFolder): Promise<Encoder> {
	const [rules, settings] = await Promise.all([read(tokenizerFile), tokenizerConfigFile === null ? {} : read(tokenizerConfigFile)]);
	const tokenizer = new Tokenizer(rules, settings);
	const trimmed = (text: string) => text.slice(0, tokensMax * charactersPerTokenMax);
	const bare = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
	const around = (first: string, second?: string): Encoded => {
		const { ids, token_type_ids } = tokenizer.encode(first, { ...(second !== undefined && { text_pair: second }), return_token_type_ids: true });
		return { ids, types: token_type_ids ?? ids.map(() => 0) };
	};

	return {
		padId: padIdOf(tokenizer, settings),
		fits: (text) => text.length <= tokensMax * charactersPerTokenMax && around(text).ids.length <= tokensMax,
		encode: (text) => {
			const whole = around(trimmed(text));
			if (whole.ids.length <= tokensMax) return whole;
			const inner = bare(trimmed(text));
			const special = whole.ids.length - inner.length;
			return without(whole, startOf(whole.ids, inner, 0) + Math.max(0, tokensMax - special), whole.ids.length - tokensMax);
		},
		encodePair: (first, second) => {
			const whole = around(trimmed(first), trimmed(second));
			const excess = whole.ids.length - tokensMax;
			if (excess <= 0) return whole;
			const [a, b] = [bare(trimmed(first)), bare(trimmed(second))];
			const special = whole.ids.length - a.length - b.length;
			const keptOfFirst = Math.min(a.length, Math.max(Math.floor((tokensMax - special) / 2), tokensMax - special - b.length));
			const fromFirst = a.length - keptOfFirst;
			const startOfFirst = startOf(whole.ids, a, 0);
			const startOfSecond = startOf(whole.ids, b, startOfFirst + a.length);
			const shorter = without(whole, startOfSecond + b.length - (excess - fromFirst), excess - fromFirst);
			return without(shorter, startOfFirst + keptOfFirst, fromFirst);
		},
	};
}

async function read(file: string): Promise<Readonly<Record<string, unknown>>> {
	return JSON.parse(await readFile(file, "utf8"));
}

function padIdOf(tokenizer: Tokenizer, settings: Readonly<Record<string, unknown>>): number {
	const named = settings["pad_token"];
	const content = typeof named === "object" && named !== null && "content" in named ? named.content : named;
	for (const token of [content, "[PAD]", "<pad>"]) {
		const id = typeof token === "string" ? tokenizer.token_to_id(token) : undefined;
		if (id !== undefined) return id;
	}
	return 0;
}

/** Where the text's own tokens begin among the special ones. */
function startOf(ids: readonly number[], inner: readonly number[], from: number): number {
	for (let start = from; start + inner.length <= ids.length; start++) if (inner.every((id, i) => ids[start + i] === id)) return start;
	// A rule that joins the text to what is around it: cut at its end.
	return Math.max(from, ids.length - inner.length - 1);
}

function without({ ids, types }: Encoded, at: number, count: number): Encoded {
	return { ids: ids.toSpliced(at, count), types: types.toSpliced(at, count) };
}
