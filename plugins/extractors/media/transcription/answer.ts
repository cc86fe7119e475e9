/** A transcription service's response → cues, from its segments, its words, or the text alone. */

import { z } from "zod";
import { canonicalLanguage } from "../../../formats/media/canonical-language.ts";
import type { Cue } from "../../../formats/media/cue.ts";

export interface Transcript {
	readonly cues: readonly Cue[];
	/** The whole text; `cues` is empty where the service gives no times. */
	readonly text: string;
	readonly language: string | null;
}

const time = z.number().nonnegative().nullish();
const answer = z
	.object({
		text: z.string().nullish(),
		language: z.string().nullish(),
		segments: z.array(z.object({ start: time, end: time, text: z.string(), speaker: z.string().nullish() })).nullish(),
		words: z.array(z.object({ start: time, end: time, word: z.string(), speaker: z.string().nullish() })).nullish(),
	})
	.refine(({ text, segments, words }) => text != null || segments != null || words != null, { error: "it has neither text nor segments nor words" });

type Answer = z.infer<typeof answer>;
type Word = NonNullable<Answer["words"]>[number];

/** A cue made of single words ends with a sentence, at a pause, or at the length of two lines on a screen. */
const breathSeconds = 1;
const cueCharactersMax = 120;

/** The transcript, or what is wrong with the answer. */
export function readAnswer(value: unknown): Transcript | { readonly complaint: string } {
	const checked = answer.safeParse(value);
	if (!checked.success) {
		const [issue] = checked.error.issues;
		return { complaint: `${issue?.path.join(".") || "it"}: ${issue?.message ?? "not right"}` };
	}
	const { text, language, segments, words } = checked.data;
	const cues = segments?.length ? segments.flatMap(cueOfSegment) : cuesOfWords(words ?? []);
	return { cues, text: text?.trim() || cues.map((cue) => cue.text).join(" "), language: canonicalLanguage(language) };
}

function cueOfSegment({ start, end, text, speaker }: NonNullable<Answer["segments"]>[number]): readonly Cue[] {
	const said = text.replace(/\s+/g, " ").trim();
	return said === "" ? [] : [{ begin: start ?? null, end: ended(start, end), speaker: named(speaker), text: said }];
}

function cuesOfWords(words: readonly Word[]): readonly Cue[] {
	// Some services keep the blank before a word, others leave it to the reader.
	const between = words.some(({ word }) => /^\s/.test(word)) ? "" : " ";
	const cues: Cue[] = [];
	let group: Word[] = [];
	let length = 0;
	const close = () => {
		const text = group
			.map(({ word }) => word)
			.join(between)
			.replace(/\s+/g, " ")
			.trim();
		const [first, last] = [group[0], group.at(-1)];
		if (text !== "") cues.push({ begin: first?.start ?? null, end: ended(first?.start, last?.end), speaker: named(first?.speaker), text });
		group = [];
		length = 0;
	};
	for (const word of words) {
		const last = group.at(-1);
		const pause = (word.start ?? 0) - (last?.end ?? word.start ?? 0);
		const isOver = /[.!?…。!?]["'”’)]*$/.test(last?.word.trim() ?? "");
		if (last !== undefined && (isOver || pause >= breathSeconds || length > cueCharactersMax || last.speaker !== word.speaker)) close();
		group.push(word);
		length += word.word.length + 1;
	}
	close();
	return cues;
}

function ended(start: number | null | undefined, end: number | null | undefined): number | null {
	return start == null || end == null ? null : Math.max(start, end);
}

function named(speaker: string | null | undefined): string | null {
	return speaker?.replace(/\s+/g, " ").trim() || null;
}
