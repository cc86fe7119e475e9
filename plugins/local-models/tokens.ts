/** Tokenises texts for a model, and truncates them to its limit. Special tokens are kept. */

import { readFile } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import type { ModelFolder } from "./model-folder.ts";

export interface Encoded {
	readonly ids: readonly number[];
	/** For each token the text of a pair that it belongs to: 0 or 1. */
	readonly types: readonly number[];
}

export interface Encoder {
	/** Id of the padding token. */
	readonly padId: number;
	readonly encode: (text: string) => Encoded;
	/** Whether the text would not be truncated. */
	readonly fits: (text: string) => boolean;
	/** The second text is truncated first, but it may take half of the tokens if the first one is long. */
	readonly encodePair: (first: string, second: string) => Encoded;
}

/** No token has more characters in any script, so text beyond `tokensMax` times this number is not tokenised. */
const charactersPerTokenMax = 32;

export async function openEncoder({ tokenizerFile, tokenizerConfigFile, tokensMax }: ModelFolder): Promise<Encoder> {
	const [vocabulary, config] = await Promise.all([readJson(tokenizerFile), tokenizerConfigFile === null ? {} : readJson(tokenizerConfigFile)]);
	const tokenizer = new Tokenizer(vocabulary, config);
	const limitCharacters = (text: string) => text.slice(0, tokensMax * charactersPerTokenMax);
	const idsWithoutSpecial = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
	const encodeWithSpecial = (first: string, second?: string): Encoded => {
		const { ids, token_type_ids } = tokenizer.encode(first, { ...(second !== undefined && { text_pair: second }), return_token_type_ids: true });
		return { ids, types: token_type_ids ?? ids.map(() => 0) };
	};

	return {
		padId: padIdOf(tokenizer, config),
		fits: (text) => text.length <= tokensMax * charactersPerTokenMax && encodeWithSpecial(text).ids.length <= tokensMax,
		encode: (text) => {
			const full = encodeWithSpecial(limitCharacters(text));
			if (full.ids.length <= tokensMax) return full;
			const textIds = idsWithoutSpecial(limitCharacters(text));
			const special = full.ids.length - textIds.length;
			return removeTokens(full, startOf(full.ids, textIds, 0) + Math.max(0, tokensMax - special), full.ids.length - tokensMax);
		},
		encodePair: (first, second) => {
			const full = encodeWithSpecial(limitCharacters(first), limitCharacters(second));
			const excess = full.ids.length - tokensMax;
			if (excess <= 0) return full;
			const [firstIds, secondIds] = [idsWithoutSpecial(limitCharacters(first)), idsWithoutSpecial(limitCharacters(second))];
			const special = full.ids.length - firstIds.length - secondIds.length;
			const firstLength = Math.min(firstIds.length, Math.max(Math.floor((tokensMax - special) / 2), tokensMax - special - secondIds.length));
			const firstExcess = firstIds.length - firstLength;
			const firstStart = startOf(full.ids, firstIds, 0);
			const secondStart = startOf(full.ids, secondIds, firstStart + firstIds.length);
			const withShortSecond = removeTokens(full, secondStart + secondIds.length - (excess - firstExcess), excess - firstExcess);
			return removeTokens(withShortSecond, firstStart + firstLength, firstExcess);
		},
	};
}

async function readJson(file: string): Promise<Readonly<Record<string, unknown>>> {
	return JSON.parse(await readFile(file, "utf8"));
}

function padIdOf(tokenizer: Tokenizer, config: Readonly<Record<string, unknown>>): number {
	const padToken = config["pad_token"];
	const content = typeof padToken === "object" && padToken !== null && "content" in padToken ? padToken.content : padToken;
	for (const token of [content, "[PAD]", "<pad>"]) {
		const id = typeof token === "string" ? tokenizer.token_to_id(token) : undefined;
		if (id !== undefined) return id;
	}
	return 0;
}

/** The index at which the text's own tokens begin among the special ones. */
function startOf(ids: readonly number[], textIds: readonly number[], from: number): number {
	for (let start = from; start + textIds.length <= ids.length; start++) if (textIds.every((id, i) => ids[start + i] === id)) return start;
	// The tokenizer has joined the text with a special token, so that its ids differ. Its end is then a good guess.
	return Math.max(from, ids.length - textIds.length - 1);
}

function removeTokens({ ids, types }: Encoded, start: number, count: number): Encoded {
	return { ids: ids.toSpliced(start, count), types: types.toSpliced(start, count) };
}
